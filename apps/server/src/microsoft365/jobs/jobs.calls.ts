import type { Microsoft365Engine, Storing } from '@keepwatch/connectors/ports/microsoft365-engine';
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
import { change } from '../../audit/change.ts';
import type { Connection } from '../../foundation/database.ts';
import { conflict, notFound } from '../../foundation/errors.ts';
import type { ChangingContext, SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { newId } from '../../foundation/secrets.ts';
import { askEngine } from '../engine/ask-engine.ts';
import type { OpenEngine } from '../engine/open-engine.ts';
import { refusing } from '../engine-refusal.ts';
import { findOrganizationOf } from '../repositories/repositories.ts';
import { jobOfEntered } from './entered-job.ts';
import { requireUnchanged } from './job-version.ts';
import { findJob, listJobs, namesOfChained } from './jobs.ts';
import { lockChains, requireParts, requireStillThere } from './required-parts.ts';

const LIVE = ['m365-jobs.changed'] as const;
/** Of an organization; what they are asked of has a bounded number. */
const JOBS_MAX = LIMIT_MAX;

/** The calls about jobs. What changes one is asked of the engine of its organization. */
export function m365JobCalls(open: OpenEngine): Route[] {
  const changing = [
    create(open),
    edit(open),
    remove(open),
    start(open),
    stop(open),
    turn(open, true),
    turn(open, false),
  ];
  return [...changing, ...READING];
}

function create(open: OpenEngine): Route {
  return answer(createM365Job, async (context, { body }) => {
    const { database, scope } = context;
    const { organizationId } = body;
    if ((await findOrganizationOf(database, scope, organizationId)) === null) throw notFound('organization');
    const engine = await open(database, { providerId: scope.providerId, id: organizationId });
    const job = jobOfEntered(body);
    // No job runs after one that is not there yet.
    const parts = { id: newId(), organizationId, job };
    await requireParts(context, engine, parts);
    const { runNow } = body.schedulePolicy;
    const store = await askEngine(context, engine, (asked, signal) => asked.createJob(job, runNow, signal));
    const data = await change(context, { kind: 'm365-job' }, async (connection) => {
      await requireStillThere(connection, scope, parts);
      return changed(connection, context, await refusing(() => store(connection)));
    });
    return { data };
  });
}

function edit(open: OpenEngine): Route {
  return answer(editM365Job, async (context, { params: { jobId: id }, body }) => {
    const { database, scope } = context;
    const { organizationId, version } = body;
    if ((await findJob(database, scope, id, organizationId)) === null) throw notFound('m365 job');
    await requireUnchanged(database, scope, { id, version }, SAVE_AGAIN);
    const engine = await open(database, { providerId: scope.providerId, id: organizationId });
    const job = jobOfEntered(body);
    await requireParts(context, engine, { id, organizationId, job });
    const { runNow } = body.schedulePolicy;
    const store = await askEngine(context, engine, (asked, signal) => asked.changeJob(id, job, runNow, signal));
    const data = await change(context, { kind: 'm365-job', id }, async (connection) => {
      await requireUnchanged(connection, scope, { id, version }, SAVE_AGAIN);
      const before = await findJob(connection, scope, id, organizationId);
      if (before === null) return null;
      await requireStillThere(connection, scope, { id, organizationId, job });
      await refusing(() => store(connection));
      return { ...(await changed(connection, context, id)), before: shownOf(before) };
    });
    return { data };
  });
}

const SAVE_AGAIN =
  'Read the job again to see what is different. To replace that with what you have entered, save again.';

function remove(open: OpenEngine): Route {
  return answer(deleteM365Job, async (context, { params: { jobId: id }, body: { organizationId } }) => {
    const { providerId } = context.scope;
    const removing: Question<void> = (engine, signal) => engine.removeJob(id, signal);
    await changeJob(open, context, { id, organizationId }, removing, async (connection, { name }) => {
      await lockChains(connection, organizationId);
      const after = await namesOfChained(connection, { providerId, id });
      if (after.length > 0) throw conflict(chainedText(name, after));
    });
    return {};
  });
}

const chainedText = (name: string, after: readonly string[]) =>
  `${after.map((one) => `"${one}"`).join(', ')} would never run again: ${after.length === 1 ? 'it runs' : 'they run'} after "${name}". Give ${after.length === 1 ? 'it' : 'them'} another schedule first.`;

function start(open: OpenEngine): Route {
  return answer(startM365Job, async (context, { params: { jobId: id }, body }) => {
    const starting: Question<string> = (engine, signal) => engine.startJob(id, signal);
    return { data: { sessionId: await changeJob(open, context, { id, ...body }, starting) } };
  });
}

function stop(open: OpenEngine): Route {
  return answer(stopM365Job, async (context, { params: { jobId: id }, body }) => {
    await changeJob(open, context, { id, ...body }, (engine, signal) => engine.stopJob(id, signal));
    return {};
  });
}

const LOOK_AGAIN = 'Look at the job as it is now, and try again.';

/** Lets a job run by its schedule, or no longer. */
function turn(open: OpenEngine, isEnabled: boolean): Route {
  return answer(isEnabled ? enableM365Job : disableM365Job, async (context, { params: { jobId: id }, body }) => {
    const switching: Question<void> = (engine, signal) => engine.switchJob(id, isEnabled, signal);
    await changeJob(open, context, { id, ...body }, switching, async (connection) => {
      await requireUnchanged(connection, context.scope, { id, version: body.version }, LOOK_AGAIN);
    });
    return {};
  });
}

type Question<R> = (engine: Microsoft365Engine<Connection>, signal: AbortSignal) => Promise<Storing<Connection, R>>;

/** Does something to a job of an organization, with its entry in the audit log. @param requireFree refuses, in its transaction */
async function changeJob<R>(
  open: OpenEngine,
  context: ChangingContext,
  { id, organizationId }: { id: string; organizationId: string },
  question: Question<R>,
  requireFree: (connection: Connection, job: Microsoft365JobDetail) => Promise<void> = async () => undefined,
): Promise<R> {
  const { database, scope } = context;
  if ((await findJob(database, scope, id, organizationId)) === null) throw notFound('m365 job');
  const engine = await open(database, { providerId: scope.providerId, id: organizationId });
  const store = await askEngine(context, engine, question);
  return change(context, { kind: 'm365-job', id }, async (connection) => {
    const before = await findJob(connection, scope, id, organizationId);
    if (before === null) return null;
    await requireFree(connection, before);
    const result = await refusing(() => store(connection));
    return { result, before: { name: before.name, isEnabled: before.isEnabled }, live: LIVE };
  });
}

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

const READING: Route[] = [
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
