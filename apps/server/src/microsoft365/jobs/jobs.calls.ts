import {
  createM365Job,
  deleteM365Job,
  disableM365Job,
  editM365Job,
  enableM365Job,
  listJobsOfOrganization,
  listJobsOfOrganizations,
  listM365Jobs,
  type Microsoft365JobDetail,
  readM365Job,
  startM365Job,
  stopM365Job,
} from '@keepwatch/contract/microsoft365/jobs';
import { LIMIT_MAX } from '@keepwatch/contract/wire/fields';
import type { PoolClient } from 'pg';
import { change } from '../../audit/change.ts';
import type { Connection } from '../../foundation/database.ts';
import { conflict, notFound, Refusal } from '../../foundation/errors.ts';
import type { ChangingContext, SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { newId } from '../../foundation/secrets.ts';
import { findOrganizationOf } from '../repositories/repositories.ts';
import { askToStop, endUnclaimed, isRunning, makeSession } from '../sessions/sessions.ts';
import { jobOfEntered } from './entered-job.ts';
import { findJob, insertJob, type JobKey, listJobs, namesOfChained, removeJob, switchJob, updateJob } from './jobs.ts';
import { lockChains, requireParts, requireStillThere } from './required-parts.ts';

const LIVE = ['m365-jobs.changed'] as const;
/** Of an organization; what they are asked of has a bounded number. */
const JOBS_MAX = LIMIT_MAX;

const create = answer(createM365Job, async (context, { body }) => {
  const { database, scope } = context;
  const { organizationId } = body;
  if ((await findOrganizationOf(database, scope, organizationId)) === null) throw notFound('organization');
  const job = jobOfEntered(body);
  const key = { providerId: scope.providerId, id: newId() };
  await requireParts(database, scope, { id: key.id, organizationId, job });
  const data = await change(context, { kind: 'm365-job' }, async (connection) => {
    await requireStillThere(connection, scope, { id: key.id, organizationId, job });
    await insertJob(connection, key, organizationId, job, context.now());
    if (body.schedulePolicy.runNow) await makeSession(connection, key, context.now(), true);
    return changed(connection, context, key.id);
  });
  return { data };
});

const edit = answer(editM365Job, async (context, { params: { jobId: id }, body }) => {
  const { database, scope } = context;
  const { organizationId } = body;
  if ((await findJob(database, scope, id, organizationId)) === null) throw notFound('m365 job');
  const job = jobOfEntered(body);
  const key = { providerId: scope.providerId, id };
  await requireParts(database, scope, { id, organizationId, job });
  const data = await change(context, { kind: 'm365-job', id }, async (connection) => {
    const before = await findJob(connection, scope, id, organizationId);
    if (before === null) return null;
    await requireStillThere(connection, scope, { id, organizationId, job });
    await updateJob(connection, key, job, context.now());
    if (body.schedulePolicy.runNow) await makeSession(connection, key, context.now(), true);
    return { ...(await changed(connection, context, id)), before: shownOf(before) };
  });
  return { data };
});

const remove = answer(deleteM365Job, async (context, { params: { jobId }, body }) => {
  await changeJob(context, jobId, body.organizationId, async (connection, key, before) => {
    if (await isRunning(connection, key)) throw running(before.name, 'Stop it, and delete it when it has ended.');
    await lockChains(connection, body.organizationId);
    const after = await namesOfChained(connection, key);
    if (after.length > 0) throw conflict(chainedText(before.name, after));
    await removeJob(connection, key);
    return null;
  });
  return {};
});

const start = answer(startM365Job, async (context, { params: { jobId }, body }) => {
  const sessionId = await changeJob(context, jobId, body.organizationId, async (connection, key, before) => {
    const made = await makeSession(connection, key, context.now(), true);
    if (made === null) throw running(before.name, 'Wait for its end, or stop it.');
    return made;
  });
  return { data: { sessionId } };
});

const stop = answer(stopM365Job, async (context, { params: { jobId }, body }) => {
  await changeJob(context, jobId, body.organizationId, async (connection, key, before) => {
    if ((await askToStop(connection, key, context.now())) === null)
      throw new Refusal(409, 'JOB_NOT_RUNNING', `The job "${before.name}" does not run. There is nothing to stop.`);
    await endUnclaimed(connection, key, context.now());
    return null;
  });
  return {};
});

const enable = answer(enableM365Job, async (context, { params: { jobId }, body }) => {
  await changeJob(context, jobId, body.organizationId, async (connection, key) => {
    await switchJob(connection, key, true, context.now());
    return null;
  });
  return {};
});

const disable = answer(disableM365Job, async (context, { params: { jobId }, body }) => {
  await changeJob(context, jobId, body.organizationId, async (connection, key) => {
    await switchJob(connection, key, false, context.now());
    return null;
  });
  return {};
});

/** Does something to a job of an organization, with its entry in the audit log. */
function changeJob<R>(
  context: ChangingContext,
  id: string,
  organizationId: string,
  work: (connection: PoolClient, key: JobKey, before: Microsoft365JobDetail) => Promise<R>,
): Promise<R> {
  return change(context, { kind: 'm365-job', id }, async (connection) => {
    const before = await findJob(connection, context.scope, id, organizationId);
    if (before === null) return null;
    const result = await work(connection, { providerId: context.scope.providerId, id }, before);
    return { result, before: { name: before.name, isEnabled: before.isEnabled }, live: LIVE };
  });
}

const running = (name: string, next: string) => new Refusal(409, 'JOB_RUNNING', `The job "${name}" runs now. ${next}`);

const chainedText = (name: string, after: readonly string[]) =>
  `${after.map((one) => `"${one}"`).join(', ')} would never run again: ${after.length === 1 ? 'it runs' : 'they run'} after "${name}". Give ${after.length === 1 ? 'it' : 'them'} another schedule first.`;

async function changed(connection: Connection, { scope }: SignedInContext, id: string) {
  const result = await findJob(connection, scope, id);
  if (result === null) throw notFound('m365 job');
  return { result, id, after: shownOf(result), live: LIVE };
}

/** What of a job the audit log says: not what it covers, which may be thousands of items. */
function shownOf(job: Microsoft365JobDetail) {
  const { name, description, organizationName, repositoryName, backupType, selectedCount, excludedCount } = job;
  const { isTeamsChatsEnabled, isEnabled, proxyId, schedulePolicy } = job;
  const parts = { backupType, selectedCount, excludedCount, isTeamsChatsEnabled };
  return { name, description, organizationName, repositoryName, ...parts, proxyId, isEnabled, schedulePolicy };
}

/** The calls about jobs. */
export const m365JobCalls: Route[] = [
  create,
  edit,
  remove,
  start,
  stop,
  enable,
  disable,

  answer(listM365Jobs, ({ database, scope }, { query }) => listJobs(database, scope, query)),

  answer(listJobsOfOrganization, async ({ database, scope }, { params: { organizationId }, query }) => {
    if ((await findOrganizationOf(database, scope, organizationId)) === null) throw notFound('organization');
    return listJobs(database, scope, { ...query, organizationIds: [organizationId] });
  }),

  answer(listJobsOfOrganizations, async ({ database, scope }, { body }) => {
    const query = { organizationIds: body.organizationsIds, limit: JOBS_MAX, offset: 0 };
    return { data: (await listJobs(database, scope, query)).data };
  }),

  answer(readM365Job, async ({ database, scope }, { params: { jobId }, query }) => {
    const data = await findJob(database, scope, jobId, query.organizationId);
    if (data === null) throw notFound('m365 job');
    return { data };
  }),
];
