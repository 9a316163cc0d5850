import { DATA_SOURCE_GROUPS } from '@keepwatch/contract/runs/values';
import { TOOL_LENGTH_MAX } from '@keepwatch/contract/tool-reports/tool-reports';
import { instant, nameText } from '@keepwatch/contract/wire/fields';
import * as z from 'zod/mini';
import { FAULTS_MAX, type FieldError, invalid } from '../foundation/errors.ts';
import { cleanText } from '../runs/execution-log.ts';
import type { LogLine } from '../runs/log-line.ts';
import { BYTES_MAX, DURATION_MS_MAX, FILES_MAX } from '../runs/new-run.ts';
import { REPORTED_GROUP, type ReportCircumstances, type ReportedRun } from './reported-run.ts';

/** Maximum number of runs in one report, and of log lines in all of them. */
export const RUNS_MAX = 1_000;
export const LOG_LINES_IN_ALL_MAX = 100_000;
/** More fields than a run can have; an object with more is refused unread. */
const FIELDS_MAX = 40;

const amountTo = (most: number) =>
  z.optional(z.int().check(z.minimum(0), z.maximum(most, `must be at most ${most} for one run`)));
const bytes = amountTo(BYTES_MAX);
const logLine = z.strictObject({
  at: z.optional(instant),
  level: z._default(z.enum(['info', 'warning', 'error']), 'info'),
  text: z.string(),
});

/** The plain form (docs/intake.md), for any tool that can write JSON. Unknown fields are refused, not ignored. */
const run = z
  .strictObject({
    job: z.optional(nameText(200)),
    tool: z.optional(nameText(TOOL_LENGTH_MAX)),
    group: z._default(z.enum(DATA_SOURCE_GROUPS), REPORTED_GROUP),
    startedAt: instant,
    endedAt: z.optional(instant),
    durationMs: amountTo(DURATION_MS_MAX),
    result: z.enum(['Success', 'Warning', 'Failed', 'Running']),
    transferredBytes: bytes,
    processedBytes: bytes,
    processedFiles: amountTo(FILES_MAX),
    sizeBytes: bytes,
    message: z.optional(z.string()),
  })
  .check(
    z.refine(
      (given) => given.result === 'Running' || given.endedAt !== undefined || given.durationMs !== undefined,
      'needs endedAt or durationMs, unless it is Running',
    ),
    z.refine((given) => given.result !== 'Running' || given.endedAt === undefined, 'is Running and has an endedAt'),
  );
type PlainRun = z.infer<typeof run>;

/** Checks whether a value looks like the plain form, whose invalid fields are reported. */
export function isPlainReport(value: unknown): boolean {
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === 'object' && first !== null && ('result' in first || 'startedAt' in first || 'job' in first);
}

/**
 * Reads the runs of a report in the plain form. Throws 422 for too many runs or log lines before it checks anything else, and 422 with
 * the first `FAULTS_MAX` invalid fields.
 */
export function readPlainReport(value: unknown, given: ReportCircumstances): ReportedRun[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  requireFewRuns(list);
  const faults: FieldError[] = [];
  const runs: ReportedRun[] = [];
  for (const [index, one] of list.entries()) {
    const read = readRun(one, Array.isArray(value) ? `body.${index}` : 'body', given, faults);
    if (read !== null) runs.push(read);
    if (faults.length >= FAULTS_MAX) break;
  }
  if (faults.length > 0) throw invalid(faults);
  return runs;
}

function requireFewRuns(list: readonly unknown[]): void {
  if (list.length > RUNS_MAX) throw invalid([{ path: 'body', message: `has more than ${RUNS_MAX} runs` }]);
  let lineCount = 0;
  for (const one of list) lineCount += isObject(one) && Array.isArray(one['log']) ? one['log'].length : 0;
  const most = LOG_LINES_IN_ALL_MAX.toLocaleString('en');
  if (lineCount > LOG_LINES_IN_ALL_MAX)
    throw invalid([{ path: 'body', message: `has more than ${most} lines of log` }]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads one run of the list; for an invalid one, adds to `faults` and returns `null`. */
function readRun(one: unknown, path: string, given: ReportCircumstances, faults: FieldError[]): ReportedRun | null {
  if (isObject(one) && Object.keys(one).length > FIELDS_MAX) {
    faults.push({ path, message: `has more than ${FIELDS_MAX} fields` });
    return null;
  }
  const before = faults.length;
  const { log: lines, ...fields } = isObject(one) ? one : { log: undefined };
  const read = run.safeParse(isObject(one) ? fields : one);
  for (const issue of (read.error?.issues ?? []).slice(0, FAULTS_MAX))
    faults.push({ path: [path, ...issue.path.map(String)].join('.'), message: issue.message });
  const wrongJob = read.success ? wrongJobOf(read.data, given) : null;
  if (wrongJob !== null) faults.push({ path: `${path}.job`, message: wrongJob });
  const log = lines === undefined ? [] : readLog(lines, `${path}.log`, faults);
  return read.success && faults.length === before ? reportedRun(read.data, log, given) : null;
}

/** Reads the lines of a log, up to the last fault that is reported. */
function readLog(lines: unknown, path: string, faults: FieldError[]): LogLine[] {
  if (!Array.isArray(lines)) {
    faults.push({ path, message: 'must be a list' });
    return [];
  }
  const log: LogLine[] = [];
  for (const [index, one] of lines.entries()) {
    const line = typeof one === 'string' ? { at: null, level: 'info' as const, text: one } : readLine(one);
    if (line !== null) log.push(line);
    else faults.push({ path: `${path}.${index}`, message: 'must be a text, or an object of text, level and at' });
    if (faults.length >= FAULTS_MAX) break;
  }
  return log;
}

function readLine(one: unknown): LogLine | null {
  // The check names every unknown field, of which there may be very many.
  if (!isObject(one) || Object.keys(one).length > 3) return null;
  const read = logLine.safeParse(one).data;
  return read === undefined ? null : { ...read, at: read.at === undefined ? null : new Date(read.at) };
}

/** Checks the job name. Of two different names one must be a mistake. */
function wrongJobOf({ job }: PlainRun, { jobName }: ReportCircumstances): string | null {
  if (job === undefined && jobName === null) return 'is required, here or as ?job=… in the address';
  if (job === undefined || jobName === null || job === jobName) return null;
  return `is "${job}", and ?job= in the address says "${jobName}": use one of them`;
}

function reportedRun(reported: PlainRun, log: LogLine[], given: ReportCircumstances): ReportedRun {
  const startedAt = new Date(reported.startedAt);
  const failed = given.exitCode !== null && given.exitCode !== 0;
  return {
    jobName: reported.job ?? given.jobName ?? '',
    tool: reported.tool === undefined ? null : cleanText(reported.tool, TOOL_LENGTH_MAX),
    sourceGroup: reported.group,
    startedAt,
    endedAt: reported.result === 'Running' ? null : endOf(reported, startedAt),
    durationMs: reported.durationMs ?? null,
    result: failed ? 'Failed' : reported.result,
    transferredBytes: reported.transferredBytes ?? null,
    processedBytes: reported.processedBytes ?? null,
    processedFiles: reported.processedFiles ?? null,
    sizeBytes: reported.sizeBytes ?? null,
    message: reported.message ?? null,
    log,
    madeId: null,
  };
}

function endOf(reported: PlainRun, startedAt: Date): Date {
  return reported.endedAt === undefined
    ? new Date(startedAt.getTime() + (reported.durationMs ?? 0))
    : new Date(reported.endedAt);
}
