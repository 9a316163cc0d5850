import type { StoredLine } from './attempt.ts';
import type { LogLine } from './log-line.ts';

/** What is kept of what a source tells; the source itself keeps the rest. */
export const MESSAGE_LENGTH_MAX = 4_000;
export const LOG_LINES_MAX = 500;
export const LOG_LINE_LENGTH_MAX = 2_000;

/** A text that PostgreSQL takes: no NUL, no half of a surrogate pair; cut at `lengthMax` with a mark that it was. */
export function cleanText(text: string, lengthMax: number): string {
  const whole = text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
  const cut = whole.length > lengthMax ? `${whole.slice(0, lengthMax - 1)}…` : whole;
  return cut.isWellFormed() ? cut : cut.toWellFormed();
}

/** The lines as they are stored: the first of them, and a last one that says how many were left out. */
export function storedLog(log: readonly LogLine[], lineCount = log.length): StoredLine[] {
  return boundedLog(
    log.slice(0, LOG_LINES_MAX + 1).map(({ at, level, text }) => ({
      at: at === null || Number.isNaN(at.getTime()) ? null : at.toISOString(),
      level,
      text: cleanText(text, LOG_LINE_LENGTH_MAX),
    })),
    lineCount,
  );
}

/** At most `LOG_LINES_MAX` lines. `lineCount` is how many there were, where the rest has been dropped already. */
export function boundedLog(lines: readonly StoredLine[], lineCount = lines.length): StoredLine[] {
  if (lineCount <= LOG_LINES_MAX) return [...lines];
  const kept = lines.slice(0, LOG_LINES_MAX - 1);
  const text = `${lineCount - kept.length} more lines were left out here; the whole log is in the source.`;
  return [...kept, { at: null, level: 'info', text }];
}
