import type { StoredLine } from './attempt.ts';
import type { LogLine } from './log-line.ts';

/** Limits on the texts that are stored; the source itself has the rest. */
export const LOG_LINES_MAX = 500;
export const LOG_LINE_LENGTH_MAX = 2_000;

/**
 * Makes a text storable: removes NULs and half surrogate pairs, which PostgreSQL refuses, and ends a cut text with `…`.
 */
export function cleanText(text: string, lengthMax: number): string {
  const whole = text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
  const cut = whole.length > lengthMax ? `${whole.slice(0, lengthMax - 1)}…` : whole;
  return cut.isWellFormed() ? cut : cut.toWellFormed();
}

/** Returns the lines to store: the first ones, and a last one that says how many were dropped. */
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

/** Limits a log to `LOG_LINES_MAX` lines. `lineCount` is the original count where lines were dropped already. */
export function boundedLog(lines: readonly StoredLine[], lineCount = lines.length): StoredLine[] {
  if (lineCount <= LOG_LINES_MAX) return [...lines];
  const stored = lines.slice(0, LOG_LINES_MAX - 1);
  const text = `${lineCount - stored.length} more lines were left out here; the whole log is in the source.`;
  return [...stored, { at: null, level: 'info', text }];
}
