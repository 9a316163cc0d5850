import { invalid } from '../../foundation/errors.ts';
import { cleanText } from '../executions/execution-log.ts';
import { impossibility, REPORTED_AHEAD_MS_MAX } from '../executions/new-execution.ts';
import type { ReportedRun } from './reported-run.ts';

/** Errors of a report that are named. */
const ERRORS_MAX = 20;
const NAME_LENGTH_MAX = 200;

/** The runs of a report with the names of their jobs as they are stored. Throws 422 for a run that cannot be true. */
export function checkedRuns(runs: readonly ReportedRun[], now: Date): ReportedRun[] {
  const errors = runs.flatMap((run, index) => {
    const reason = impossibility({ ...run, jobInstanceUid: '' }, now, REPORTED_AHEAD_MS_MAX);
    const path = runs.length === 1 ? 'body' : `body.${index}`;
    return reason === null ? [] : [{ path, message: `cannot be: ${reason}` }];
  });
  if (errors.length > 0) throw invalid(errors.slice(0, ERRORS_MAX));
  return runs.map((run) => ({ ...run, jobName: cleanText(run.jobName, NAME_LENGTH_MAX) }));
}
