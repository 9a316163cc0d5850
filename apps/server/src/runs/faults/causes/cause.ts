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
