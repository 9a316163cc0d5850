import type { DataSourceGroup } from '@keepwatch/contract/runs/values';
import { invalid, type Refusal } from '../foundation/errors.ts';
import type { NewRun } from '../runs/new-run.ts';

/** A run as a report describes it, with its job by name. */
export interface ReportedRun extends Omit<NewRun, 'jobInstanceUid'> {
  jobName: string;
  /** Name of the tool; `null` where the report does not say. */
  tool: string | null;
  sourceGroup: DataSourceGroup;
  /**
   * The tool's own id of what it created, if its reports have no start time. It identifies a report that is sent twice, and is part
   * of the message.
   */
  madeId: string | null;
}

/** Values sent with a report besides its text. */
export interface ReportCircumstances {
  /** Name of the job, if the address has one. */
  jobName: string | null;
  /** Exit code of the tool, if the address has one. */
  exitCode: number | null;
  /** When the report arrived. */
  now: Date;
}

/** Group of reported jobs: tools back up files of computers, unless a plain report names another group. */
export const REPORTED_GROUP: DataSourceGroup = 'file-share-jobs';

/** Returns the 422 for the output of several runs, whose lines cannot be assigned to one of them. */
export function severalRuns(count: number): Refusal {
  return invalid([
    { path: 'body', message: `is of ${count} runs: send one report for each run, each with a job of its own` },
  ]);
}
