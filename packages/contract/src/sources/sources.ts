import * as z from 'zod/mini';
import { settingField, settings, testOutcome } from '../connections/connections.ts';
import { RESULTS } from '../runs/values.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, text } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';

/** Sources: vendor consoles from which jobs and their runs are synced. */

const failedEntity = z.object({
  entity: z.string(),
  externalId: z.nullable(z.string()),
  reason: z.string(),
  source: z.string(),
});

/** How many runs ended in which way; a result without runs is omitted. */
const resultCounts = z.array(z.object({ result: z.enum(RESULTS), runs: z.int() }));
export type ResultCounts = z.infer<typeof resultCounts>;

export const getLastSync = declareCall({
  method: 'GET',
  path: '/monitoring/sync/last-sync',
  access: 'signed-in',
  after: 'second-factor',
  reply: z.object({
    success: z.literal(true),
    /** `NEVER` before the first sync and if there is no source. */
    status: z.enum(['SUCCEEDED', 'PARTIAL', 'FAILED', 'RUNNING', 'NEVER']),
    lastSync: z.nullable(instant),
    failed: z.array(failedEntity),
    /** Runs that wait for a person and may be of several jobs of one name; `since`: when the oldest began. Omitted if there are none. */
    unassigned: z.optional(z.object({ since: instant, results: resultCounts })),
    /** Runs that fit no job: they are missing from all figures. Omitted if there are none. */
    unmatched: z.optional(z.object({ results: resultCounts })),
  }),
  failure: 'Error while trying to get the last sync info, try again later.',
  summary: 'How the last sync of all sources went and what it could not read.',
});

export const startSync = declareCall({
  method: 'POST',
  path: '/monitoring/sync/start',
  access: ['monitoring.sources', 'monitoring.job-actions'],
  audit: 'sync.start',
  body: z.strictObject({ sourceId: z.optional(id) }),
  ...done,
  failure: 'The sync could not be started, try again later.',
  summary: 'Reads the sources now instead of at the next planned time; one that is being read, once more after that.',
});

export const source = entity(
  'Source',
  z.object({
    _id: id,
    kind: z.string(),
    label: z.string(),
    name: z.string(),
    isEnabled: z.boolean(),
    syncIntervalMinutes: z.int(),
    /** Settings that are no secrets. Secrets never leave the server. */
    settings,
    status: z.enum(['SUCCEEDED', 'PARTIAL', 'FAILED', 'RUNNING', 'NEVER']),
    lastSync: z.nullable(instant),
    failed: z.array(failedEntity),
    jobs: z.int(),
    /** Runs of the source's history that fit no job. */
    unmatchedRuns: z.int(),
  }),
);
export type Source = z.infer<typeof source>;

const access = 'monitoring.sources' as const;
const sourceFields = {
  name: text(200).check(z.minLength(1)),
  isEnabled: z._default(z.boolean(), true),
  syncIntervalMinutes: z._default(z.int().check(z.minimum(1), z.maximum(1_440)), 5),
};

export const listSourceKinds = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/source-kinds',
  access,
  ...itemOf(
    z.array(
      z.object({
        kind: z.string(),
        label: z.string(),
        settings: z.array(settingField),
      }),
    ),
  ),
  failure: 'The kinds of sources could not be read, try again later.',
  summary: 'What can be connected, with the fields of each settings form.',
});

export const listSources = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/sources',
  access,
  ...itemOf(z.array(source)),
  failure: 'The sources could not be read, try again later.',
  summary: 'The connected consoles.',
});

export const testSource = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/sources/test',
  access,
  audit: null, // It tries settings and changes nothing
  /** With `sourceId`, secrets that are not given again are those stored for it. */
  body: z.strictObject({ kind: text(20), settings, sourceId: z.optional(id) }),
  ...itemOf(testOutcome),
  failure: 'The settings could not be tested, try again later.',
  summary: 'Tries settings without saving them.',
});

export const createSource = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/sources',
  access,
  audit: 'source.create',
  body: z.strictObject({ kind: text(20), ...sourceFields, settings }),
  ...itemOf(source),
  failure: 'The source could not be saved, try again later.',
  summary: 'Connects a console; its settings are tested first and it is saved only if they work.',
});

export const editSource = declareCall({
  method: 'PUT',
  path: '/monitoring/backoffice/sources/{id}',
  access,
  audit: 'source.edit',
  params: z.strictObject({ id }),
  body: z.strictObject({ ...sourceFields, settings }),
  ...itemOf(source),
  failure: 'The source could not be saved, try again later.',
  summary: 'Changes a console; secrets that are left out stay as they are.',
});

export const deleteSource = declareCall({
  method: 'DELETE',
  path: '/monitoring/backoffice/sources/{id}',
  access,
  audit: 'source.delete',
  params: z.strictObject({ id }),
  ...done,
  failure: 'The source could not be removed, try again later.',
  summary: 'Disconnects a console. Its jobs and their history stay.',
});

export const unmatchedRun = entity(
  'UnmatchedRun',
  z.object({
    _id: id,
    source: z.string(),
    jobName: z.string(),
    companyName: z.nullable(z.string()),
    startedAt: instant,
    result: z.enum(RESULTS),
    message: z.nullable(z.string()),
  }),
);

export const listUnmatchedRuns = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/unmatched-runs',
  access,
  ...listOf(unmatchedRun),
  failure: 'The unmatched runs could not be read, try again later.',
  summary: "Runs of a source's history that fit no job.",
});
