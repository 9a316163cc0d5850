import type { Result } from '@keepwatch/contract/runs/values';
import type { LogLine } from './log-line.ts';
import type { RunSign } from './run-signs.ts';

/** One attempt of a run as its source reported it, cleaned. A run has several when the earlier ones failed. */
export interface Attempt {
  startedAtMs: number;
  /** `null` while it runs. */
  endedAtMs: number | null;
  result: Exclude<Result, 'DidntRun'>;
  durationMs: number | null;
  transferredBytes: number | null;
  processedBytes: number | null;
  processedFiles: number | null;
  sizeBytes: number | null;
  message: string | null;
  signs: readonly RunSign[];
  isDoubtful: boolean;
  log: readonly StoredLine[];
}

/** A log line as it is stored. */
export interface StoredLine {
  at: string | null;
  level: LogLine['level'];
  text: string;
}

/**
 * Attempts that start closer than this and overlap are one: consoles show the same start with and without its seconds.
 */
export const SAME_START_MS_MAX = 60_000;

/** Whether two reports of one job are of the same attempt. A job never runs twice at the same time. */
export function isSameAttempt(one: Attempt, other: Attempt): boolean {
  const [first, second] = one.startedAtMs <= other.startedAtMs ? [one, other] : [other, one];
  const apartMs = second.startedAtMs - first.startedAtMs;
  if (apartMs === 0) return true;
  return apartMs < SAME_START_MS_MAX && (first.endedAtMs === null || second.startedAtMs < first.endedAtMs);
}

/**
 * Merges a newer report of an attempt into the older one: the newer value where there is one, otherwise the older. An
 * attempt that has ended does not go back to running.
 */
export function withNewerReport(older: Attempt, newer: Attempt): Attempt {
  if (newer.result === 'Running' && older.result !== 'Running')
    return { ...withNewerReport(newer, older), startedAtMs: older.startedAtMs };
  return {
    startedAtMs: older.startedAtMs,
    endedAtMs: newer.endedAtMs ?? older.endedAtMs,
    result: newer.result,
    durationMs: newer.durationMs ?? older.durationMs,
    transferredBytes: newer.transferredBytes ?? older.transferredBytes,
    processedBytes: newer.processedBytes ?? older.processedBytes,
    processedFiles: newer.processedFiles ?? older.processedFiles,
    sizeBytes: newer.sizeBytes ?? older.sizeBytes,
    message: newer.message ?? older.message,
    signs: [...new Set([...newer.signs, ...(newer.result === older.result ? older.signs : [])])].sort(),
    isDoubtful: newer.isDoubtful && older.isDoubtful,
    log: newer.log.length > 0 ? newer.log : older.log,
  };
}

const COMPARED = [
  'startedAtMs',
  'endedAtMs',
  'result',
  'durationMs',
  'transferredBytes',
  'processedBytes',
  'processedFiles',
  'sizeBytes',
  'message',
  'isDoubtful',
] as const satisfies readonly (keyof Attempt)[];

export function isEqualAttempt(one: Attempt, other: Attempt): boolean {
  return (
    COMPARED.every((field) => one[field] === other[field]) &&
    one.signs.join() === other.signs.join() &&
    (one.log === other.log || JSON.stringify(one.log) === JSON.stringify(other.log))
  );
}
