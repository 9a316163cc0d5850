import { cleanText, LOG_LINE_LENGTH_MAX, LOG_LINES_MAX, MESSAGE_LENGTH_MAX } from '../executions/execution-log.ts';
import type { LogLine } from '../executions/log-line.ts';
import type { ReportedRun } from './reported-run.ts';

/** A run with no more of its message and log than is stored, whatever its tool printed: the rest is not carried any further. */
export function boundedRun(run: ReportedRun): ReportedRun {
  const message = run.message == null ? null : cleanText(run.message, MESSAGE_LENGTH_MAX);
  const log = run.log ?? [];
  return { ...run, message, log: boundedLines(log), logLineCount: log.length };
}

/**
 * The lines that are stored, and one more: the first error among those that are left out, because a success with an error in its log
 * contradicts itself (run-signs.ts).
 */
function boundedLines(log: readonly LogLine[]): LogLine[] {
  const stored = log.slice(0, LOG_LINES_MAX);
  const rest = log.length > LOG_LINES_MAX ? log.slice(LOG_LINES_MAX) : [];
  const next = rest.find((line) => line.level === 'error') ?? rest[0];
  const lines = next === undefined ? stored : [...stored, next];
  return lines.map((line) => ({ ...line, text: cleanText(line.text, LOG_LINE_LENGTH_MAX) }));
}
