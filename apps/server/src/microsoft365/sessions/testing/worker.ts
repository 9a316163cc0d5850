import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createRepository, openStore } from '@keepwatch/engine/engine';
import type { RunningTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { openPool, type Pool, row } from '../../../foundation/database.ts';
import { openLog } from '../../../foundation/log.ts';
import { newId } from '../../../foundation/secrets.ts';
import {
  type BuiltOrganization,
  buildM365Job,
  buildM365Repository,
  buildOwnOrganization,
} from '../../../testing/microsoft365-builders.ts';
import { LOW_PASSWORD_COST } from '../../../testing/password-cost.ts';
import { TEST_SECRETS } from '../../../testing/test-portal.ts';
import { openStoredRepositories } from '../../repositories/stored-repositories.ts';
import type { RunServices } from '../run-services.ts';
import { type SessionWorkerOptions, startSessionWorker } from '../session-worker.ts';

/** Where a worker of a test finds everything; crosses to another process. */
export interface WorkerPlaces {
  databaseUrl: string;
  tenant: Pick<RunningTenant, 'tenantId' | 'loginUrl' | 'graphUrl' | 'sharePointUrl'> & {
    clientId: string;
    secret: string;
  };
  options: SessionWorkerOptions;
}

const PASSWORD = 'a password of a test';

export function placesOf(
  databaseUrl: string,
  tenant: RunningTenant,
  options: Partial<SessionWorkerOptions> = {},
): WorkerPlaces {
  const { tenantId, loginUrl, graphUrl, sharePointUrl, application } = tenant;
  const { clientId, clientSecret: secret } = application;
  const worker = { id: newId(), name: 'worker', version: '1', pool: null, capacity: 4 };
  const times = { claimMs: 3_000, extendMs: 500, lookMs: 100 };
  return {
    databaseUrl,
    tenant: { tenantId, loginUrl, graphUrl, sharePointUrl, clientId, secret },
    options: { ...worker, ...times, ...options },
  };
}

/** Starts a worker in this process. @returns what stops it */
export async function startWorker({ databaseUrl, tenant, options }: WorkerPlaces) {
  const database = openPool(databaseUrl, { connectionsMax: 4, statementTimeoutMs: 20_000, name: 'test worker' });
  const stored = openStoredRepositories({
    databaseUrl,
    rules: { repositoryRoot: null, allowPrivateAddresses: false },
    queries: 4,
    pinned: 2,
  });
  const { clientId, secret, ...urls } = tenant;
  const connection = connect(
    { cloud: 'worldwide', ...urls, applications: [{ clientId, secret }], licences: Number.POSITIVE_INFINITY },
    () => undefined,
  );
  const log = openLog('error', options.name);
  const services: RunServices = {
    database,
    stored,
    log,
    secrets: TEST_SECRETS,
    now: () => new Date(),
    connect: () => connection,
  };
  const worker = startSessionWorker(services, options);
  return {
    services,
    async stop() {
      await worker.stop();
      await stored.close();
      await database.end();
    },
  };
}

/** An organization with a repository that is really there, in a folder of its own. */
export async function buildPlace(database: Pool, services?: ('exchange' | 'sharepoint' | 'teams')[]) {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-sessions-'));
  const organization = await buildOwnOrganization(database, services === undefined ? {} : { services });
  const repositoryId = await buildStoredRepository(database, organization, folder);
  return {
    organization,
    repositoryId,
    /** Another repository of the organization. */
    buildRepository: async () => buildStoredRepository(database, organization, await mkdtemp(join(folder, 'other-'))),
    buildJob: (given: Parameters<typeof buildM365Job>[2] = {}) =>
      buildM365Job(database, organization, { repositoryId, ...given }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A repository of an organization that is really there. */
export async function buildStoredRepository(
  database: Pool,
  organization: BuiltOrganization,
  path: string,
): Promise<string> {
  const store = await openStore(path, {});
  const repository = await createRepository(store, PASSWORD, { passwordCost: LOW_PASSWORD_COST });
  await repository.close();
  await store.close();
  return buildM365Repository(database, organization, { path, password: PASSWORD, engineId: repository.id });
}

export interface SeenSession {
  result: string;
  message: string | null;
  restorePoint: string | null;
  workerId: string | null;
  progress: { objectsDone?: number; itemsRead?: number; objectsTotal?: number | null };
  isEnded: boolean;
}

/** A run as it is in the database now. */
export async function seenSession(database: Pool, id: string): Promise<SeenSession> {
  const found = await row<SeenSession>(
    database,
    sql`select result, message, restore_point as "restorePoint", worker_id as "workerId", progress, ended_at is not null as "isEnded"
        from m365_job_sessions where id = ${id}`,
  );
  if (found === null) throw new Error(`There is no run ${id}.`);
  return found;
}
