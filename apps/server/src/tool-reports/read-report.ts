import { invalid, Refusal } from '../foundation/errors.ts';
import { isBorgReport, readBorgReport } from './borg-report.ts';
import { boundedRun } from './bounded-run.ts';
import { isPlainReport, readPlainReport } from './plain-report.ts';
import { type Printed, readPrinted } from './printed-values.ts';
import { REPORTED_GROUP, type ReportCircumstances, type ReportedRun } from './reported-run.ts';
import { isResticReport, readResticReport } from './restic-report.ts';

/**
 * Reads the runs of a report in any form, with no more of their logs than is stored. Throws 400 for invalid JSON, 413 for too many
 * values, 422 for a report that is empty, of an unknown form, or has an invalid field.
 */
export function readReport(body: string, given: ReportCircumstances): ReportedRun[] {
  return runsOf(body, given).map(boundedRun);
}

function runsOf(body: string, given: ReportCircumstances): ReportedRun[] {
  const printed = readPrinted(body);
  if (isResticReport(printed)) return [readResticReport(printed, given)];
  if (isBorgReport(printed)) return [readBorgReport(printed, given)];
  const [only] = printed;
  if (only !== undefined && printed.length === 1 && 'value' in only && isPlainReport(only.value))
    return readPlainReport(only.value, given);
  if (given.exitCode !== null && given.exitCode !== 0 && given.jobName !== null)
    return [failedRun(printed, given.jobName, given.exitCode, given.now)];
  if (only === undefined) throw new Refusal(422, 'EMPTY_REPORT', 'The report is empty: nothing was printed into it.');
  throw invalid([{ path: 'body', message: 'is neither of restic, nor of borg, nor in the plain form' }]);
}

/** Returns a run of a tool that failed before it printed its own form, with the printed text as the reason. */
function failedRun(printed: readonly Printed[], jobName: string, exitCode: number, now: Date): ReportedRun {
  const log = printed.map((one) => ({
    at: null,
    level: 'info' as const,
    text: 'text' in one ? one.text : JSON.stringify(one.value),
  }));
  const why = log.length === 0 ? 'It printed nothing.' : log.map((line) => line.text).join('\n');
  return {
    jobName,
    tool: null,
    sourceGroup: REPORTED_GROUP,
    startedAt: now,
    endedAt: now,
    durationMs: null,
    result: 'Failed',
    message: `Ended with exit code ${exitCode}. ${why}`,
    log,
    madeId: null,
  };
}
