import type { Attempt } from './attempt.ts';
import { storedLog } from './execution-log.ts';
import type { LogLine } from './log-line.ts';
import { signsOf } from './run-signs.ts';
import { storedMessage } from './stored-message.ts';

/** One attempt of a run as a source or a tool reports it. */
export interface NewRun {
  jobInstanceUid: string;
  startedAt: Date;
  /** `null` while it runs. */
  endedAt: Date | null;
  result: Attempt['result'];
  /** Missing or `null`: the time between start and end. */
  durationMs?: number | null;
  transferredBytes?: number | null;
  processedBytes?: number | null;
  processedFiles?: number | null;
  sizeBytes?: number | null;
  message?: string | null;
  log?: readonly LogLine[];
  /** How many lines there were, where `log` has only those that are stored. */
  logLineCount?: number;
  /** `false`: the source says that the run left no new restore point. */
  restorePointCreated?: boolean | null;
  isDoubtful?: boolean;
}

/** A run that was refused, and why. */
export interface RefusedRun {
  execution: NewRun;
  reason: string;
}

const EARLIEST_MS = Date.UTC(2000, 0, 1);
/** Clocks of sources differ, and some report local time as UTC; a start later than this cannot be true. */
const AHEAD_MS_MAX = 24 * 3_600_000;
/** A tool reports its own run as it ends, with its time zone: only its clock can be wrong, and has to be set. */
export const REPORTED_AHEAD_MS_MAX = 10 * 60_000;
/** Longest run, in milliseconds: a year. */
export const DURATION_MS_MAX = 366 * 24 * 3_600_000;

/**
 * Returns why a run cannot be real; `null` for one that can. `aheadMsMax`: how far its reporter's clock may be ahead.
 */
export function rejectionReason(execution: NewRun, now: Date, aheadMsMax = AHEAD_MS_MAX): string | null {
  const { startedAt, endedAt, result } = execution;
  const latestMs = now.getTime() + aheadMsMax;
  if (!(startedAt.getTime() >= EARLIEST_MS)) return 'its start is no date, or is before the year 2000';
  if (startedAt.getTime() > latestMs) return `its start, ${startedAt.toISOString()}, is in the future`;
  if (endedAt !== null && !(endedAt.getTime() >= startedAt.getTime())) return 'it ends before it starts';
  if (endedAt !== null && endedAt.getTime() > latestMs) return `its end, ${endedAt.toISOString()}, is in the future`;
  if (endedAt !== null && result === 'Running') return 'it is running and has an end';
  if (endedAt !== null && endedAt.getTime() - startedAt.getTime() > DURATION_MS_MAX) return 'it took more than a year';
  return wrongAmount(execution);
}

/**
 * Maximum amounts of one run, far beyond any that exists: a petabyte within a day is 12 GB every second, and ten
 * billion files are a petabyte of 100 KB each. Anything larger is an error of the reporting source and would distort
 * all sums.
 */
export const BYTES_MAX = 1e15;
export const FILES_MAX = 1e10;

const MOST = {
  durationMs: DURATION_MS_MAX,
  transferredBytes: BYTES_MAX,
  processedBytes: BYTES_MAX,
  processedFiles: FILES_MAX,
  sizeBytes: BYTES_MAX,
} as const;
const AMOUNTS = ['durationMs', 'transferredBytes', 'processedBytes', 'processedFiles', 'sizeBytes'] as const;

function wrongAmount(execution: NewRun): string | null {
  for (const name of AMOUNTS) {
    const amount = execution[name] ?? 0;
    if (!(amount >= 0)) return `its ${name} is ${amount}`;
    if (amount > MOST[name]) return `its ${name} is ${amount}; no run has more than ${MOST[name]}`;
  }
  return null;
}

/** Returns the attempt to store: bounded and cleaned. */
export function attemptOf(execution: NewRun): Attempt {
  const { startedAt, endedAt, result } = execution;
  const message = execution.message == null ? null : storedMessage(execution.message);
  const log = execution.log ?? NO_LINES;
  const lengthMs = endedAt === null ? null : endedAt.getTime() - startedAt.getTime();
  return {
    startedAtMs: startedAt.getTime(),
    endedAtMs: endedAt === null ? null : endedAt.getTime(),
    result,
    durationMs: whole(execution.durationMs) ?? lengthMs,
    transferredBytes: whole(execution.transferredBytes),
    processedBytes: whole(execution.processedBytes),
    processedFiles: whole(execution.processedFiles),
    sizeBytes: whole(execution.sizeBytes),
    message: message === '' ? null : message,
    signs: signsOf({ result, message, log, restorePointCreated: execution.restorePointCreated }),
    isDoubtful: execution.isDoubtful ?? false,
    log: log.length === 0 ? NO_LINES : storedLog(log, execution.logLineCount),
  };
}

const NO_LINES: readonly [] = [];

function whole(amount: number | null | undefined): number | null {
  return amount == null ? null : Math.round(amount);
}
