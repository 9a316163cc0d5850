import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, nameText, text, wholeNumber } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { ENGINES } from './engines.ts';

/** Repositories of Microsoft 365 backups: a folder or a bucket, a password, a retention. */

const access = 'o365.repositories' as const;

/** Years for which an item stays after it stopped being current; `null`: for ever. */
export const RETENTION_YEARS = [1, 2, 3, 5, 7, 10, 25] as const;
const retention = z.nullable(z.literal(RETENTION_YEARS));

export const m365Repository = entity(
  'Microsoft365Repository',
  z.object({
    id,
    name: z.string(),
    organizationId: id,
    organizationName: z.string(),
    companyId: id,
    /** Of its organization. */
    engine: z.enum(ENGINES),
    kind: z.nullable(z.enum(['folder', 's3'])),
    /** For people: `/backups/contoso`, `s3://bucket/prefix`. */
    path: z.string(),
    passwordDescription: z.nullable(z.string()),
    /** Its password, and the keys of its bucket, were lost with the key of the stored secrets: an edit enters them again. */
    needsPassword: z.boolean(),
    retentionPolicy: retention,
    immutableDays: z.int(),
    jobCount: z.int(),
    usedBytes: z.nullable(z.int()),
    freeBytes: z.nullable(z.int()),
    capacityBytes: z.nullable(z.int()),
    measuredAt: z.nullable(instant),
    /** What its last 30 days added, by day; `null`: too new to say. */
    growthBytesPerDay: z.nullable(z.int()),
    /** When its disk is full if it grows on like that, within a year. */
    fullAt: z.nullable(instant),
    /** When it is verified and pruned by its schedule; `null`: not. */
    nextVerify: z.nullable(instant),
    nextPrune: z.nullable(instant),
  }),
);
export type Microsoft365Repository = z.infer<typeof m365Repository>;

export const listM365Repositories = declareCall({
  method: 'GET',
  path: '/o365/repositories',
  access: ['o365.repositories', 'o365.jobs'],
  query: z.strictObject({ organizationId: id, repositoryId: z.optional(id) }),
  ...itemOf(z.array(m365Repository)),
  failure: 'The repositories could not be read. Try again later.',
  summary: 'Repositories of an organization, or one of them.',
});

export const listRepositoriesOf = declareCall({
  method: 'POST',
  path: '/o365/repositories/all',
  access: ['o365.repositories', 'o365.jobs'],
  audit: null, // It reads: the ids are in the body because they may be many
  body: z.strictObject({ organizationsIds: z.array(id).check(z.maxLength(1_000)) }),
  bodyBytesMax: 64 * 1024,
  ...itemOf(z.array(m365Repository)),
  failure: 'The repositories could not be read. Try again later.',
  summary: 'Repositories of several organizations.',
});

/** What a bucket is opened with. */
const bucketKeys = { accessKeyId: nameText(200), secretAccessKey: nameText(500) };

const place = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('folder'), path: nameText(500) }),
  z.strictObject({
    kind: z.literal('s3'),
    endpoint: z.optional(text(500)),
    region: text(100).check(z.regex(/^[\w-]*$/, 'must be the name of a region')),
    bucket: nameText(100),
    prefix: z.optional(text(300)),
    ...bucketKeys,
  }),
]);

const password = text(500).check(z.minLength(12, 'must have at least 12 characters'));

export const createM365Repository = declareCall({
  method: 'POST',
  path: '/o365/repositories',
  access,
  audit: 'm365-repository.create',
  body: z
    .strictObject({
      organizationId: id,
      name: nameText(200),
      place,
      password,
      repeatPassword: password,
      passwordDescription: text(500),
      retentionPolicy: retention,
      immutableDays: z._default(wholeNumber(0, 3_650), 0),
    })
    .check(
      z.refine(({ password, repeatPassword }) => password === repeatPassword, {
        error: 'must be the same password',
        path: ['repeatPassword'],
      }),
    ),

  ...itemOf(m365Repository),
  failure: 'The repository could not be made. Try again later.',
  summary:
    'Makes a repository in an empty place, which is written, read, listed and deleted in before anything is stored.',
});

export const editM365Repository = declareCall({
  method: 'PATCH',
  path: '/o365/repositories/{id}',
  access,
  audit: 'm365-repository.edit',
  params: z.strictObject({ id }),
  body: z.strictObject({
    name: z.optional(nameText(200)),
    passwordDescription: z.optional(text(500)),
    retentionPolicy: z.optional(retention),
    bucketKeys: z.optional(z.strictObject(bucketKeys)),
    /** The one that it has: entered again where it is no longer stored. */
    password: z.optional(password),
  }),
  ...itemOf(m365Repository),
  failure: 'Error in update repository.',
  summary:
    'Changes a repository. Keys of a bucket and a password are stored only when they open this repository and may write, read, list and delete in it.',
});

export const deleteM365Repository = declareCall({
  method: 'DELETE',
  path: '/o365/repositories',
  access,
  audit: 'm365-repository.delete',
  body: z.strictObject({ id, companyId: id, repository: text(200) }),
  ...done,
  failure: 'Error in remove repository.',
  summary:
    'Removes a repository that no job uses from the portal; `repository` repeats its name where it has backups. Its files stay where they are.',
});
