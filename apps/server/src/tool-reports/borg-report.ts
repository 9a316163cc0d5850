import * as z from 'zod/mini';
import { invalid } from '../foundation/errors.ts';
import type { LogLine } from '../runs/log-line.ts';
import type { Printed } from './printed-values.ts';
import { REPORTED_GROUP, type ReportCircumstances, type ReportedRun, severalRuns } from './reported-run.ts';

/**
 * Final output of `borg create --json`, versions 1.1 to 2.0. With `--log-json`, one message per line precedes it. See borg's
 * documentation, "Frontends".
 */
const amount = z.optional(z.number().check(z.minimum(0)));
const created = z.looseObject({
  archive: z.looseObject({
    name: z.string(),
    id: z.optional(z.string()),
    /** Seconds. */
    duration: amount,
    /** Borg 1 prints the local time of its computer without a zone. */
    start: z.string(),
    end: z.string(),
    stats: z.looseObject({
      nfiles: amount,
      original_size: amount,
      compressed_size: amount,
      deduplicated_size: amount,
    }),
  }),
});
type Created = z.infer<typeof created>;

const logMessage = z.looseObject({
  type: z.literal('log_message'),
  /** Seconds since 1970. */
  time: z.optional(z.number()),
  levelname: z.string(),
  message: z.string(),
});
const TYPES = ['log_message', 'archive_progress', 'progress_message', 'progress_percent', 'file_status'];

export function isBorgReport(printed: readonly Printed[]): boolean {
  return printed.some((one) => 'value' in one && (createdOf(one.value) !== null || TYPES.includes(typeOf(one.value))));
}

/** Returns the type of a message; empty for other values. */
function typeOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : '';
}

function createdOf(value: unknown): Created | null {
  if (typeof value !== 'object' || value === null || !('archive' in value)) return null;
  return created.safeParse(value).data ?? null;
}

/** Reads the run that borg reported. Throws 422 for several runs, and for a missing job name. */
export function readBorgReport(printed: readonly Printed[], given: ReportCircumstances): ReportedRun {
  if (given.jobName === null)
    throw invalid([{ path: 'query.job', message: 'borg does not say the name of the job: add ?job=… to the address' }]);
  const ends = printed.flatMap((one) => ('value' in one ? (createdOf(one.value) ?? []) : []));
  if (ends.length > 1) throw severalRuns(ends.length);
  const [end] = ends;
  const log = logOf(printed);
  const stats = end?.archive.stats;
  return {
    jobName: given.jobName,
    tool: 'borg',
    sourceGroup: REPORTED_GROUP,
    result: resultOf(end, given.exitCode, log),
    ...timesOf(end, given.now),
    transferredBytes: stats?.deduplicated_size ?? null,
    processedBytes: stats?.original_size ?? null,
    processedFiles: stats?.nfiles ?? null,
    sizeBytes: stats?.original_size ?? null,
    message: messageOf(end, given.exitCode, log),
    log,
    madeId: end?.archive.id ?? null,
  };
}

/** 1 is a warning; borg 1.4 with modern exit codes uses 100 to 127 for specific warnings. */
function isWarningCode(exitCode: number): boolean {
  return exitCode === 1 || (exitCode >= 100 && exitCode <= 127);
}

function resultOf(end: Created | undefined, exitCode: number | null, log: readonly LogLine[]): ReportedRun['result'] {
  if (end === undefined) return 'Failed';
  if (exitCode !== null && exitCode !== 0) return isWarningCode(exitCode) ? 'Warning' : 'Failed';
  return exitCode === null && log.some((line) => line.level !== 'info') ? 'Warning' : 'Success';
}

function timesOf(end: Created | undefined, now: Date): Pick<ReportedRun, 'startedAt' | 'endedAt' | 'durationMs'> {
  if (end === undefined) return { startedAt: now, endedAt: now, durationMs: null };
  const { start, end: stop, duration } = end.archive;
  const endedAt = instantOf(stop, now);
  const durationMs =
    duration === undefined ? Math.max(0, msAsUtc(stop) - msAsUtc(start)) : Math.round(duration * 1_000);
  // The zone may have changed during the run, as it does twice a year.
  const startedAt = instantOf(start, new Date(endedAt.getTime() - durationMs));
  return { startedAt: startedAt < endedAt ? startedAt : endedAt, endedAt, durationMs };
}

const QUARTER_MS = 15 * 60_000;
const ZONES_MS = { least: -14 * 3_600_000, most: 14 * 3_600_000 };

/**
 * Parses a time of borg. Without a zone it is the local time of its computer. The zone is then its difference, in quarters of an hour,
 * from `near`, a time within minutes of the actual one: for the end the arrival of the report, for the start the end minus the duration.
 */
function instantOf(text: string, near: Date): Date {
  if (ZONE.test(text)) return new Date(text);
  const asUtcMs = msAsUtc(text);
  const zoneMs = Math.round((asUtcMs - near.getTime()) / QUARTER_MS) * QUARTER_MS;
  return new Date(asUtcMs - Math.min(ZONES_MS.most, Math.max(ZONES_MS.least, zoneMs)));
}

const ZONE = /(Z|[+-]\d\d:?\d\d)$/;

/** Parses a time of borg to milliseconds since 1970, as UTC if it has no zone. */
function msAsUtc(text: string): number {
  return Date.parse(ZONE.test(text) ? text : `${text.replace(' ', 'T').slice(0, 23)}Z`);
}

function messageOf(end: Created | undefined, exitCode: number | null, log: readonly LogLine[]): string {
  const code = exitCode === null || exitCode === 0 ? '' : ` Exit code ${exitCode}.`;
  const last = log.findLast((line) => line.level !== 'info')?.text;
  if (end === undefined) return `borg ended without an archive.${code}${last === undefined ? '' : ` ${last}`}`;
  const { name, id, stats } = end.archive;
  // A folder whose disk is not mounted is read without an error; this marks the run as contradictory (run-signs.ts).
  const empty = stats.nfiles === 0 ? ' There was nothing to process.' : '';
  return `Archive ${name}${id === undefined ? '' : ` (${id.slice(0, 12)})`}: ${stats.nfiles ?? 0} files.${empty}${last === undefined ? '' : ` ${last}`}${code}`;
}

const LEVELS: Readonly<Record<string, LogLine['level']>> = { WARNING: 'warning', ERROR: 'error', CRITICAL: 'error' };

function logOf(printed: readonly Printed[]): LogLine[] {
  return printed.flatMap((one): LogLine[] => {
    if ('text' in one) return [{ at: null, level: levelOf(one.text, 'info'), text: one.text }];
    const reported = typeOf(one.value) === 'log_message' ? logMessage.safeParse(one.value).data : undefined;
    if (reported === undefined) return [];
    const at = reported.time === undefined ? null : new Date(reported.time * 1_000);
    return [{ at, level: levelOf(reported.message, LEVELS[reported.levelname] ?? 'info'), text: reported.message }];
  });
}

/**
 * Raises the level of a file that borg could not read to an error, as it is missing from the archive. Borg only warns of it
 * (`b: open: [Errno 13] Permission denied: 'b'`), and without `--log-json` prints it as plain text.
 */
function levelOf(text: string, reported: LogLine['level']): LogLine['level'] {
  return /\[Errno \d+\]/.test(text) ? 'error' : reported;
}
