import { DATA_SOURCE_GROUPS } from '@keepwatch/contract/monitoring/values';
import { instant, nameText } from '@keepwatch/contract/wire/fields';
import * as z from 'zod/mini';
import { type FieldError, invalid } from '../../foundation/errors.ts';
import { MESSAGE_LENGTH_MAX } from '../executions/execution-log.ts';
import { BYTES_MAX, DURATION_MS_MAX, FILES_MAX } from '../executions/new-execution.ts';
import { REPORTED_GROUP, type ReportCircumstances, type ReportedRun } from './reported-run.ts';

/** Runs in one report. */
export const RUNS_MAX = 1_000;

const amountTo = (most: number) =>
  z.optional(z.int().check(z.minimum(0), z.maximum(most, `must be at most ${most} for one run`)));
const bytes = amountTo(BYTES_MAX);
const line = z.strictObject({
  at: z.optional(instant),
  level: z._default(z.enum(['info', 'warning', 'error']), 'info'),
  text: z.string(),
});

/** The plain form (docs/intake.md): for any tool that can write JSON. What it does not know is refused, not ignored. */
const run = z
  .strictObject({
    job: z.optional(nameText(200)),
    group: z._default(z.enum(DATA_SOURCE_GROUPS), REPORTED_GROUP),
    startedAt: instant,
    endedAt: z.optional(instant),
    durationMs: amountTo(DURATION_MS_MAX),
    result: z.enum(['Success', 'Warning', 'Failed', 'Running']),
    transferredBytes: bytes,
    processedBytes: bytes,
    processedFiles: amountTo(FILES_MAX),
    sizeBytes: bytes,
    message: z.optional(z.string().check(z.maxLength(10 * MESSAGE_LENGTH_MAX))),
    log: z.optional(
      z
        .array(z.union([z.string(), line], 'must be a text, or an object of text, level and at'))
        .check(z.maxLength(100_000)),
    ),
  })
  .check(
    z.refine(
      (given) => given.result === 'Running' || given.endedAt !== undefined || given.durationMs !== undefined,
      'needs endedAt or durationMs, unless it is Running',
    ),
    z.refine((given) => given.result !== 'Running' || given.endedAt === undefined, 'is Running and has an endedAt'),
  );
type PlainRun = z.infer<typeof run>;

/** Whether a value looks like the plain form: every field of it that is wrong is told then. */
export function isPlainReport(value: unknown): boolean {
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === 'object' && first !== null && ('result' in first || 'startedAt' in first || 'job' in first);
}

/** The runs of a report in the plain form. Throws 422 that names every field that is wrong. */
export function readPlainReport(value: unknown, given: ReportCircumstances): ReportedRun[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > RUNS_MAX) throw invalid([{ path: 'body', message: `has more than ${RUNS_MAX} runs` }]);
  const errors: FieldError[] = [];
  const runs = list.flatMap((one, index) => {
    const path = Array.isArray(value) ? `body.${index}` : 'body';
    const read = run.safeParse(one);
    const wrongJob = read.success ? wrongJobOf(read.data, given) : null;
    if (read.success && wrongJob === null) return [reportedRun(read.data, given)];
    const found = read.success
      ? [{ path: `${path}.job`, message: wrongJob ?? '' }]
      : read.error.issues.map((issue) => ({
          path: [path, ...issue.path.map(String)].join('.'),
          message: issue.message,
        }));
    errors.push(...found);
    return [];
  });
  if (errors.length > 0) throw invalid(errors.slice(0, 20));
  return runs;
}

/** Where two names are told, one of them is a mistake, and nobody can say which. */
function wrongJobOf({ job }: PlainRun, { jobName }: ReportCircumstances): string | null {
  if (job === undefined && jobName === null) return 'is wanted, here or as ?job=… in the address';
  if (job === undefined || jobName === null || job === jobName) return null;
  return `is "${job}", and ?job= in the address says "${jobName}": tell one of them`;
}

function reportedRun(told: PlainRun, given: ReportCircumstances): ReportedRun {
  const startedAt = new Date(told.startedAt);
  const failed = given.exitCode !== null && given.exitCode !== 0;
  return {
    jobName: told.job ?? given.jobName ?? '',
    sourceGroup: told.group,
    startedAt,
    endedAt: told.result === 'Running' ? null : endOf(told, startedAt),
    durationMs: told.durationMs ?? null,
    result: failed ? 'Failed' : told.result,
    transferredBytes: told.transferredBytes ?? null,
    processedBytes: told.processedBytes ?? null,
    processedFiles: told.processedFiles ?? null,
    sizeBytes: told.sizeBytes ?? null,
    message: told.message ?? null,
    log: (told.log ?? []).map((one) =>
      typeof one === 'string'
        ? { at: null, level: 'info', text: one }
        : { at: one.at === undefined ? null : new Date(one.at), level: one.level, text: one.text },
    ),
    madeId: null,
  };
}

function endOf(told: PlainRun, startedAt: Date): Date {
  return told.endedAt === undefined ? new Date(startedAt.getTime() + (told.durationMs ?? 0)) : new Date(told.endedAt);
}
