import * as z from 'zod/mini';
import { invalid } from '../foundation/errors.ts';
import type { LogLine } from '../runs/log-line.ts';
import type { Printed } from './printed-values.ts';
import { REPORTED_GROUP, type ReportCircumstances, type ReportedRun, severalRuns } from './reported-run.ts';

/**
 * Output of `restic backup --json`, versions 0.14 to 0.18, one message per line: `summary` at the end of every backup that completed
 * (`check` and `restore` have other fields), `error` for each file that could not be read (0.14: the fields of the system error, later:
 * a message), and `exit_error` (from 0.17) for the reason of a failure. Progress is ignored. See restic's documentation, "Scripting".
 */

const number = z.number().check(z.minimum(0));
const amount = z.optional(number);
const summary = z.looseObject({
  message_type: z.literal('summary'),
  dry_run: z.optional(z.boolean()),
  files_new: amount,
  files_changed: amount,
  files_unmodified: amount,
  data_added: number,
  /** From 0.16: the bytes sent after compression. */
  data_added_packed: amount,
  total_files_processed: number,
  total_bytes_processed: amount,
  /** Seconds. */
  total_duration: amount,
  /** From 0.17. */
  backup_start: z.optional(z.string()),
  backup_end: z.optional(z.string()),
  /** Missing when nothing changed and restic ran with an option to skip the snapshot then. */
  snapshot_id: z.optional(z.string()),
});
type Summary = z.infer<typeof summary>;

const failure = z.looseObject({
  message_type: z.literal('error'),
  error: z.optional(
    z.looseObject({ message: z.optional(z.string()), Op: z.optional(z.string()), Err: z.optional(z.number()) }),
  ),
  during: z.optional(z.string()),
  item: z.optional(z.string()),
});
const exitError = z.looseObject({
  message_type: z.literal('exit_error'),
  code: z.optional(z.number()),
  message: z.optional(z.string()),
});

export function isResticReport(printed: readonly Printed[]): boolean {
  return printed.some((one) => 'value' in one && typeOf(one.value) !== null);
}

/** Returns the type of a message; `null` for other values. Only messages of a known type are checked against a schema. */
function typeOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('message_type' in value)) return null;
  return typeof value.message_type === 'string' ? value.message_type : null;
}

/** Selects the messages of a type that match its schema. */
function messagesOf<Schema extends z.ZodMiniType>(
  values: readonly unknown[],
  type: string,
  schema: Schema,
): z.output<Schema>[] {
  return values.flatMap((value) => {
    const read = typeOf(value) === type ? schema.safeParse(value) : null;
    return read?.success ? [read.data] : [];
  });
}

/** Exit code when some files could not be read; the snapshot has the others. */
const EXIT_INCOMPLETE = 3;

/** Reads the run that restic reported. Throws 422 for a dry run, for several runs, and for a missing job name. */
export function readResticReport(printed: readonly Printed[], given: ReportCircumstances): ReportedRun {
  if (given.jobName === null)
    throw invalid([
      { path: 'query.job', message: 'restic does not say the name of the job: add ?job=… to the address' },
    ]);
  const values = printed.flatMap((one) => ('value' in one ? [one.value] : []));
  const ends = messagesOf(values, 'summary', summary);
  if (ends.length > 1) throw severalRuns(ends.length);
  const [end] = ends;
  if (end?.dry_run === true) throw invalid([{ path: 'body', message: 'is of a dry run, which saves nothing' }]);
  const exit = messagesOf(values, 'exit_error', exitError).at(-1);
  // Behind a pipe `$?` is always 0.
  const exitCode = given.exitCode || (exit?.code ?? given.exitCode);
  const log = logOf(printed);
  const unreadCount = messagesOf(values, 'error', failure).length;
  const result = resultOf(end, exitCode, log);
  return {
    jobName: given.jobName,
    tool: 'restic',
    sourceGroup: REPORTED_GROUP,
    result,
    ...timesOf(end, given.now),
    transferredBytes: end?.data_added_packed ?? end?.data_added ?? null,
    processedBytes: end?.total_bytes_processed ?? null,
    processedFiles: end?.total_files_processed ?? null,
    sizeBytes: end?.total_bytes_processed ?? null,
    message: messageOf({ end, exitCode, exitText: exit?.message, unreadCount, log }),
    log,
    madeId: end?.backup_start === undefined ? (end?.snapshot_id ?? null) : null,
  };
}

function resultOf(end: Summary | undefined, exitCode: number | null, log: readonly LogLine[]): ReportedRun['result'] {
  if (end === undefined) return 'Failed';
  if (exitCode === EXIT_INCOMPLETE) return 'Warning';
  if (exitCode !== null && exitCode !== 0) return 'Failed';
  // The exit code is unknown: restic would end with 3 if files could not be read.
  return exitCode === null && log.some((line) => line.level === 'error') ? 'Warning' : 'Success';
}

/** Versions before 0.17 report only their duration, so that the end is the arrival of the report. */
function timesOf(end: Summary | undefined, now: Date): Pick<ReportedRun, 'startedAt' | 'endedAt' | 'durationMs'> {
  const durationMs = Math.round((end?.total_duration ?? 0) * 1_000);
  const startedAt = new Date(end?.backup_start ?? now.getTime() - durationMs);
  const endedAt = new Date(end?.backup_end ?? startedAt.getTime() + durationMs);
  return { startedAt, endedAt, durationMs: end === undefined ? null : durationMs };
}

function messageOf(of: {
  end: Summary | undefined;
  exitCode: number | null;
  exitText: string | undefined;
  unreadCount: number;
  log: readonly LogLine[];
}): string {
  const code = of.exitCode === null || of.exitCode === 0 ? '' : ` Exit code ${of.exitCode}.`;
  const last = of.exitText ?? of.log.findLast((line) => line.level === 'error')?.text;
  if (of.end === undefined) return `restic ended without a summary.${code}${last === undefined ? '' : ` ${last}`}`;
  const {
    snapshot_id: snapshot,
    files_new: added = 0,
    files_changed: changed = 0,
    files_unmodified: same = 0,
  } = of.end;
  const made = snapshot === undefined ? 'No snapshot, as nothing had changed' : `Snapshot ${snapshot}`;
  const unread = of.unreadCount === 0 ? '' : ` Not read: ${of.unreadCount} ${of.unreadCount === 1 ? 'item' : 'items'}.`;
  // A folder whose disk is not mounted is read without an error; this marks the run as contradictory (run-signs.ts).
  const empty = of.end.total_files_processed === 0 ? ' There was nothing to process.' : '';
  return `${made}: ${added} files new, ${changed} changed, ${same} unmodified.${empty}${unread}${code}`;
}

function logOf(printed: readonly Printed[]): LogLine[] {
  return printed.flatMap((one): LogLine[] => {
    if ('text' in one) return [{ at: null, level: levelOf(one.text), text: one.text }];
    const [error] = messagesOf([one.value], 'error', failure);
    if (error !== undefined) return [{ at: null, level: 'error', text: textOfFailure(error) }];
    const [exit] = messagesOf([one.value], 'exit_error', exitError);
    return exit === undefined ? [] : [{ at: null, level: 'error', text: exit.message ?? `Exit code ${exit.code}` }];
  });
}

function levelOf(text: string): LogLine['level'] {
  if (/^fatal\b/i.test(text)) return 'error';
  return /^warning\b/i.test(text) ? 'warning' : 'info';
}

function textOfFailure({ error, during, item }: z.infer<typeof failure>): string {
  const what =
    error?.message ?? [error?.Op, error?.Err === undefined ? '' : `error ${error.Err}`].filter(Boolean).join(' ');
  return [during, item, what].filter(Boolean).join(': ');
}
