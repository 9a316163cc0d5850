import { isTimeZone } from '@keepwatch/contract/backup-days/time-zones';
import {
  editMaintenancePlan,
  type MaintenanceKind,
  readMaintenance,
  startMaintenance,
  stopMaintenance,
} from '@keepwatch/contract/microsoft365/maintenance';
import type { Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { change, changeWithin } from '../../audit/change.ts';
import { conflict, invalid, notFound, Refusal } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { ingestInTransaction } from '../../ingest/ingest-runs.ts';
import { requireFeature } from '../engine/engine-features.ts';
import { endMaintenanceWithin } from '../monitoring/report-maintenance.ts';
import { findRepository } from '../repositories/repositories.ts';
import { findRunning, insertMaintenance, listMaintenance, stoppedBy } from './maintenance-runs.ts';
import { readPlans, storePlan } from './plans.ts';
import { runMaintenanceJob } from './run-maintenance.job.ts';

/** Runs that are shown of a repository. */
const SHOWN = 20;
const LIVE = ['m365-repositories.changed'] as const;

/** The calls about verifies and prunes of repositories. */
export const maintenanceCalls: Route[] = [
  answer(readMaintenance, async ({ database, scope }, { params: { id } }) => {
    const repository = await findRepository(database, scope, id);
    if (repository === null) throw notFound('m365 repository');
    requireFeature(repository, 'maintenance');
    const key = { providerId: scope.providerId, id };
    const [plans, runs] = await Promise.all([readPlans(database, key), listMaintenance(database, key, SHOWN)]);
    return { data: { plans, runs } };
  }),

  answer(editMaintenancePlan, async (context, { params: { id, kind }, body }) => {
    if (!isTimeZone(body.timeZone))
      throw invalid([{ path: 'body.timeZone', message: 'must be a time zone like Europe/Berlin' }]);
    const key = { providerId: context.scope.providerId, id };
    const data = await change(context, { kind: 'm365-repository', id }, async (connection) => {
      const repository = await findRepository(connection, context.scope, id);
      if (repository === null) return null;
      requireFeature(repository, 'maintenance');
      const ofKind = async () => (await readPlans(connection, key)).find((plan) => plan.kind === kind);
      const before = await ofKind();
      await storePlan(connection, key, kind, body, context.now());
      const after = await ofKind();
      if (after === undefined) throw notFound('m365 repository');
      return { result: after, before, after, live: LIVE };
    });
    return { data };
  }),

  answer(startMaintenance, async (context, { params: { id, kind }, body }) => {
    const { queue, scope, actor } = context;
    const { providerId } = scope;
    const runId = await change(context, { kind: 'm365-repository', id }, async (connection) => {
      const repository = await findRepository(connection, scope, id);
      if (repository === null) return null;
      requireFeature(repository, 'maintenance');
      requirePrunable(repository, kind);
      const order = { kind, depth: body.depth, isDryRun: kind === 'prune' && body.dryRun, username: actor.username };
      const made = await insertMaintenance(connection, { providerId, id }, order, context.now());
      if (made === null) throw atWork(repository);
      await queue.send(connection, runMaintenanceJob, { providerId, runId: made });
      return { result: made, after: { kind, ...body }, live: LIVE };
    });
    return { data: { runId } };
  }),

  answer(stopMaintenance, async (context, { params: { id } }) => {
    const { database, scope, actor } = context;
    const [key, at] = [{ providerId: scope.providerId, id }, context.now()];
    const data = await ingestInTransaction(database, scope.providerId, at, async (connection, ingest) => {
      const repository = await findRepository(connection, scope, id);
      if (repository === null) throw notFound('m365 repository');
      requireFeature(repository, 'maintenance');
      const run = await findRunning(connection, key);
      if (run === null) throw notAtWork(repository);
      const end = stoppedBy(actor.username, run.kind);
      if (!(await endMaintenanceWithin({ connection, ingest }, run, end, at))) throw notAtWork(repository);
      const ended = (await listMaintenance(connection, key, SHOWN)).find((one) => one.id === run.id);
      if (ended === undefined) throw notFound('m365 repository');
      const target = { kind: 'm365-repository', id };
      return changeWithin(connection, context, target, { result: ended, after: { kind: run.kind } });
    });
    return { data };
  }),
];

function requirePrunable({ name, retentionPolicy }: Microsoft365Repository, kind: MaintenanceKind): void {
  if (kind === 'verify' || retentionPolicy !== null) return;
  const text = `The repository "${name}" retains everything for ever, so there is nothing to prune. Choose a retention first.`;
  throw new Refusal(409, 'NO_RETENTION', text);
}

const atWork = ({ name }: Microsoft365Repository) =>
  new Refusal(409, 'MAINTENANCE_RUNNING', `The repository "${name}" is verified or pruned now. Wait for its end.`);

const notAtWork = ({ name }: Microsoft365Repository) =>
  conflict(`The repository "${name}" is neither verified nor pruned now: it has ended already.`);
