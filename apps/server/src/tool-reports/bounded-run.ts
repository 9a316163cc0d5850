import { cleanText, LOG_LINE_LENGTH_MAX, LOG_LINES_MAX } from '../runs/execution-log.ts';
import type { LogLine } from '../runs/log-line.ts';
import { storedMessage } from '../runs/stored-message.ts';
import type { ReportedRun } from './reported-run.ts';

/** Reduces the message and log of a run to what is stored. */
export function boundedRun(run: ReportedRun): ReportedRun {
  const message = run.message == null ? null : storedMessage(run.message);
  const log = run.log ?? [];
  return { ...run, message, log: boundedLines(log), logLineCount: log.length };
}

/**
 * Returns the stored lines and one more, if possible the first error of the others, because a success with an error in its log is
 * contradictory (run-signs.ts).
 */
function boundedLines(log: readonly LogLine[]): LogLine[] {
  const stored = log.slice(0, LOG_LINES_MAX);
  const rest = log.length > LOG_LINES_MAX ? log.slice(LOG_LINES_MAX) : [];
  const next = rest.find((line) => line.level === 'error') ?? rest[0];
  const lines = next === undefined ? stored : [...stored, next];
  return lines.map((line) => ({ ...line, text: cleanText(line.text, LOG_LINE_LENGTH_MAX) }));
}
