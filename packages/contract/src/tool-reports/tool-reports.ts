import * as z from 'zod/mini';
import { DATA_SOURCE_GROUPS, RESULTS } from '../runs/values.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, nameText, text } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';

/** Reports of tools such as restic and borg, and the tokens that authorize them. */

const access = 'monitoring.sources' as const;

export const intakeToken = entity(
  'IntakeToken',
  z.object({
    _id: id,
    name: z.string(),
    companyId: id,
    companyName: z.string(),
    createdAt: instant,
    lastUsedAt: z.nullable(instant),
    /** Test runs were reported with it, and are not removed. */
    hasTestRun: z.boolean(),
  }),
);
export type IntakeToken = z.infer<typeof intakeToken>;

/** As what a test run names its tool. Its job is no backup, and can be removed with its runs. */
export const TEST_TOOL = 'Test run';
/** Longest name of a tool. */
export const TOOL_LENGTH_MAX = 40;

/** A job by its last run. */
export const reportedJob = entity(
  'ReportedJob',
  z.object({
    jobInstanceUid: id,
    jobName: z.string(),
    /** `null`: the report does not say. */
    tool: z.nullable(z.string()),
    executionId: id,
    startedAt: instant,
    result: z.enum(RESULTS),
  }),
);
export type ReportedJob = z.infer<typeof reportedJob>;

export const listIntakeTokens = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/intake-tokens',
  access,
  ...listOf(intakeToken),
  failure: 'The intake tokens could not be read, try again later.',
  summary: 'Tokens with which tools report.',
});

export const getIntakeToken = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/intake-tokens/{id}',
  access,
  params: z.strictObject({ id }),
  ...itemOf(
    entity(
      'IntakeTokenDetail',
      z.extend(intakeToken, {
        /** What was last reported with it, the newest run first, at most 20. */
        jobs: z.array(reportedJob),
      }),
    ),
  ),
  failure: 'The intake token could not be read, try again later.',
  summary: 'One token, and the jobs that were last reported with it.',
});

export const deleteTestRuns = declareCall({
  method: 'DELETE',
  path: '/monitoring/backoffice/intake-tokens/{id}/test-runs',
  access,
  audit: 'intake-token.delete-test-runs',
  params: z.strictObject({ id }),
  ...done,
  failure: 'The test runs could not be removed, try again later.',
  summary: 'Removes the test runs that were reported with this token, and their jobs.',
});

export const createIntakeToken = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/intake-tokens',
  access,
  audit: 'intake-token.create',
  body: z.strictObject({ name: nameText(200), companyId: id }),
  /** The token is shown this one time. */
  ...itemOf(intakeToken, { token: z.string(), address: z.string() }),
  failure: 'The intake token could not be created, try again later.',
  summary: 'A token for one company.',
});

export const deleteIntakeToken = declareCall({
  method: 'DELETE',
  path: '/monitoring/backoffice/intake-tokens/{id}',
  access,
  audit: 'intake-token.delete',
  params: z.strictObject({ id }),
  ...done,
  failure: 'The intake token could not be removed, try again later.',
  summary: 'Reports with this token are refused from now on. Its test runs are removed.',
});

export const reportRun = declareCall({
  method: 'POST',
  path: '/monitoring/intake/{token}',
  access: 'public',
  audit: null, // A tool reports: the runs themselves are the record
  params: z.strictObject({ token: text(100) }),
  query: z.strictObject({
    /** Name of the job; required for restic and borg, which do not print one. */
    job: z.optional(nameText(200)),
    /** The exit code of the tool, where the shell still has it: anything but 0 is a failure whatever was printed. */
    exitCode: z.optional(z.string().check(z.regex(/^\d{1,3}$/, 'must be an exit code'))),
  }),
  textBodyBytesMax: 8 * 1024 * 1024,
  ...itemOf(
    z.array(
      z.object({
        _id: id,
        jobInstanceUid: id,
        jobName: z.string(),
        result: z.enum(RESULTS),
        sourceGroup: z.enum(DATA_SOURCE_GROUPS),
      }),
    ),
  ),
  failure: 'The report could not be stored, try again later.',
  summary: 'Ingests what restic (backup --json) or borg (create --json) printed, or the plain form.',
});
