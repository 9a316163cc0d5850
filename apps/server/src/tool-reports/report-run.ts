import { invalid } from '../foundation/errors.ts';
import { cleanText } from '../runs/execution-log.ts';
import { REPORTED_AHEAD_MS_MAX, rejectionReason } from '../runs/new-run.ts';
import type { ReportedRun } from './reported-run.ts';

/** Maximum number of reported errors. */
const ERRORS_MAX = 20;
const NAME_LENGTH_MAX = 200;

/** Returns the runs with their job names as stored. Throws 422 for an impossible run. */
export function checkedRuns(runs: readonly ReportedRun[], now: Date): ReportedRun[] {
  const errors = runs.flatMap((run, index) => {
    const reason = rejectionReason({ ...run, jobInstanceUid: '' }, now, REPORTED_AHEAD_MS_MAX);
    const path = runs.length === 1 ? 'body' : `body.${index}`;
    return reason === null ? [] : [{ path, message: `cannot be: ${reason}` }];
  });
  if (errors.length > 0) throw invalid(errors.slice(0, ERRORS_MAX));
  return runs.map((run) => ({ ...run, jobName: cleanText(run.jobName, NAME_LENGTH_MAX) }));
}
