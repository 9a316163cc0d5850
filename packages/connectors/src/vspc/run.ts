import type { SourceLogLine, SourceResult, SourceRun } from '../ports/backup-source.ts';
import { BadValueError } from './listing.ts';

/** The last run of a job as its fields say it, in the vendor's units. */
export interface RunFields {
  startedAt: Date | null;
  endedAt: Date | null;
  durationS: number | null;
  /** `null`: the job has not run, or the console does not say how it ended. */
  result: SourceResult | null;
  transferredBytes?: number | null;
  processedBytes?: number | null;
  processedFiles?: number | null;
  message?: string | null;
  log?: readonly SourceLogLine[];
}

/** Clocks of consoles and servers differ, and some write local time as UTC; a run further ahead than this is not true. */
const AHEAD_MS_MAX = 24 * 3_600_000;

/**
 * Makes a run of a job's fields; `null` when it has not run. While it runs, the end and duration shown are those of the run
 * before, so they are ignored. Throws `BadValueError` for a run in the future or one that ends before it starts.
 */
export function toRun(fields: RunFields, now: Date): SourceRun | null {
  const { startedAt, result } = fields;
  if (!startedAt || !result) return null;
  const endedAt = result === 'Running' ? null : fields.endedAt;
  requireTrueTimes(startedAt, endedAt, now);
  return {
    startedAt,
    endedAt,
    result,
    durationMs: result === 'Running' ? null : durationMs(startedAt, endedAt, fields.durationS),
    transferredBytes: fields.transferredBytes ?? null,
    processedBytes: fields.processedBytes ?? null,
    processedFiles: fields.processedFiles ?? null,
    message: fields.message ?? null,
    log: fields.log ?? [],
  };
}

export function requireTrueTimes(startedAt: Date, endedAt: Date | null, now: Date): void {
  const latestMs = now.getTime() + AHEAD_MS_MAX;
  for (const at of [startedAt, endedAt]) {
    if (at && at.getTime() > latestMs) throw new BadValueError(`run at ${at.toISOString()} is in the future`);
  }
  if (endedAt && endedAt < startedAt) {
    throw new BadValueError(`run ends at ${endedAt.toISOString()}, before it starts at ${startedAt.toISOString()}`);
  }
}

export function durationMs(startedAt: Date, endedAt: Date | null, durationS: number | null): number | null {
  if (durationS !== null) return durationS * 1000;
  return endedAt ? endedAt.getTime() - startedAt.getTime() : null;
}
