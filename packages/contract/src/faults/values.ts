import type { Anomaly } from '../runs/values.ts';

/** The closed sets of faults, in the order in which screens show them. */

/** How the last run of a fault ended. `doubtful`: a success with an anomaly. */
export const FAULT_KINDS = ['failed', 'missed', 'doubtful', 'warning'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A doubtful run with no other anomalies made a restore point: its figures alone are unusual. */
export const FIGURE_ANOMALIES: readonly Anomaly[] = ['duration', 'transferred', 'size'];

/** `healed`: a run that is fine ended it, and it is neither resolved nor ignored. */
export const FAULT_STATES = ['pending', 'in-progress', 'healed', 'resolved', 'ignored'] as const;
export type FaultState = (typeof FAULT_STATES)[number];

/**
 * What the faults of one cause have in common: a server that does not answer, a repository without space, a
 * certificate or licence that expired, credentials that are refused, the same message, a server whose jobs did not run,
 * or no more than that they are of one job.
 */
export const CAUSE_REASONS = [
  'server',
  'repository',
  'certificate',
  'licence',
  'credentials',
  'message',
  'missed',
  'anomaly',
  'job',
] as const;
export type CauseReason = (typeof CAUSE_REASONS)[number];
