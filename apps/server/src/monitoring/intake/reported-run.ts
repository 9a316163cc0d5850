import type { DataSourceGroup } from '@keepwatch/contract/monitoring/values';
import { invalid, type Refusal } from '../../foundation/errors.ts';
import type { NewExecution } from '../executions/new-execution.ts';

/** A run as a report tells it: an execution whose job is known by its name. */
export interface ReportedRun extends Omit<NewExecution, 'jobInstanceUid'> {
  jobName: string;
  sourceGroup: DataSourceGroup;
  /**
   * What the tool made, by its own id, where a report of it carries no start: with it a report that is sent twice is known
   * again. It stands in the message.
   */
  madeId: string | null;
}

/** What comes with the report, beside its text. */
export interface ReportCircumstances {
  /** Name of the job, where the sender gave one in the address. */
  jobName: string | null;
  /** Exit code of the tool, where the sender gave one. */
  exitCode: number | null;
  /** When the report arrived. */
  now: Date;
}

/** Tools that report by themselves save files of computers; a report in the plain form may say otherwise. */
export const REPORTED_GROUP: DataSourceGroup = 'file-share-jobs';

/** The 422 for what several runs of a tool printed: which of its lines are of which run, nobody can tell. */
export function severalRuns(count: number): Refusal {
  return invalid([
    { path: 'body', message: `is of ${count} runs: send one report for each run, each with a job of its own` },
  ]);
}
