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
  }),
);
export type IntakeToken = z.infer<typeof intakeToken>;

export const listIntakeTokens = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/intake-tokens',
  access,
  ...listOf(intakeToken),
  failure: 'The intake tokens could not be read, try again later.',
  summary: 'Tokens with which tools report.',
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
  summary: 'Reports with this token are refused from now on.',
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
