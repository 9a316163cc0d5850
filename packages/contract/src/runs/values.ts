/** The closed sets of monitoring, in the order in which screens show them. */

export const DATA_SOURCE_GROUPS = [
  'managed-servers',
  'monitored-agents',
  'managed-agents',
  'office365',
  'public-cloud-vms',
  'file-share-jobs',
] as const;
export type DataSourceGroup = (typeof DATA_SOURCE_GROUPS)[number];

/** How one run ended. `DidntRun` is an expected run that did not happen. */
export const RESULTS = ['Failed', 'DidntRun', 'Warning', 'Running', 'Success'] as const;
export type Result = (typeof RESULTS)[number];

/** What a technician has made of it. Success without anomaly starts as resolved, anything else as pending. */
export const STATES = ['pending', 'in-progress', 'resolved', 'ignored'] as const;
export type State = (typeof STATES)[number];

/**
 * Why a run that may look fine is not: its duration, transferred bytes or size are outside the job's own range, it made
 * no new restore point, or its result contradicts its log.
 */
export const ANOMALIES = ['duration', 'transferred', 'size', 'no-restore-point', 'contradiction'] as const;
export type Anomaly = (typeof ANOMALIES)[number];

export const SCHEDULE_TYPES = ['Daily', 'Monthly', 'Continuously', 'Periodically', 'Chained', 'Disabled'] as const;

/** How sure it is that a run belongs to the job it is shown under. */
export const MATCHES = ['exact', 'doubtful'] as const;

/** Letters of one calendar cell: the worst result of a job's day. Lower case: successful, but with an anomaly. */
export const CELL_LETTERS = { Failed: 'F', DidntRun: 'D', Warning: 'W', Running: 'R', Success: 'S' } as const;
export const CELL_ANOMALY = 's';
export const CELL_EMPTY = '-';
/** No run is known to be of this job, but one of the day belongs to it or to another job of its name. */
export const CELL_SHARED = '?';

/** The `count` of a list stops here: a report of more says "100,000 or more" instead of making users wait. */
export const COUNT_MAX = 100_000;
