import type { CauseReason, FaultKind } from '@keepwatch/contract/faults/values';
import type { Anomaly } from '@keepwatch/contract/runs/values';

/** What is known of the job of a fault. */
export interface FaultJob {
  jobInstanceUid: string;
  sourceId: string;
  companyId: string | null;
  jobName: string;
  companyName: string | null;
  serverName: string | null;
  targetName: string | null;
}

/** The last run of a fault. */
export interface FaultRun {
  kind: FaultKind;
  message: string | null;
  anomalies: readonly Anomaly[];
  job: FaultJob;
}

/** Why a fault is where it is: faults with one key are one cause. */
export interface Cause {
  key: string;
  /** What they have in common. */
  why: CauseReason;
  /** What is at fault, by name. */
  subject: string | null;
}

/**
 * Whose it is what is at fault. `server`: it is the job's own server, or something on that: one thing for all companies whose jobs use it.
 * `job`: it is on the computer of the job, and nothing says which that is.
 */
export type Reach = 'server' | 'company' | 'job';
