import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '@keepwatch/contract/abilities';
import {
  backUp,
  connect,
  createRepository,
  indexTexts,
  openCatalog,
  openSource,
  openStore,
  type Stored,
} from '@keepwatch/engine/engine';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { execute, row } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';
import { openServer } from '../../foundation/http/server.ts';
import { openLog } from '../../foundation/log.ts';
import { openMetrics } from '../../foundation/metrics.ts';
import type { Scope } from '../../foundation/scope.ts';
import { newId, secretBox } from '../../foundation/secrets.ts';
import { actorOf } from '../../identity/sessions.ts';
import { buildCompany } from '../../testing/builders.ts';
import { LOW_PASSWORD_COST } from '../../testing/password-cost.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { type Caller, recordingQueue, seedProviders, signInAs } from '../../testing/test-portal.ts';
import { restoreCalls } from '../restore.calls.ts';
import { restoreJobs } from '../restore.jobs.ts';
import type { RestoreOrganization } from '../restore-organization.ts';
import type { Connected, RestoreServices } from '../restore-services.ts';
import { openGroupReader } from '../roles/read-groups.ts';
import type { BegunSignIn, SignedInPerson } from '../sign-in/sign-in-platform.ts';

const PASSWORD = 'correct horse battery';
/** What is backed up: a backup of all would take long. */
export interface BedSize {
  kinds?: readonly ('mailbox' | 'archive' | 'drive' | 'site' | 'team' | 'chats')[];
  users?: number;
  /** So many users at the beginning are left out: the OneDrive of the first one has a large file. */
  usersAfter?: number;
  sites?: number;
}

/** A tenant of the sandbox that was backed up once, and the calls of the restore portal over it. */
export interface RestoreBed {
  tenant: RunningTenant;
  connection: Connected;
  /** Where the calls are answered. */
  url: string;
  organization: RestoreOrganization;
  jobId: string;
  services: RestoreServices;
  stored: Stored;
  sent: { name: string; payload: unknown }[];
  /** People who are at the device code, by its secret. */
  signIns: Map<string, SignedInPerson | 'pending'>;
  as(roles: Role, options?: { providerId?: number; companyIds?: readonly string[] }): Promise<Caller>;
  /** A user who has proved to be an administrator of the tenant. */
  asAdministrator(): Promise<Caller>;
  /** Marks the sign-in of a user as confirmed. */
  prove(caller: Caller, role: 'administrator' | 'owner', accountId?: string): Promise<void>;
  backUp(): Promise<void>;
  /** Makes another repository, into which the job backs up from then on; the restore points of the first one stay. @returns that repository */
  moveJob(): Promise<Stored>;
  /** Does the jobs that were sent, as a worker would. */
  work(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export async function startRestoreBed(size: BedSize = {}): Promise<RestoreBed> {
  const database = await createTestDatabase();
  await seedProviders(database.pool);
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-restore-'));
  const tenant = await startTenant({ size: 'small', budgets: false });
  const connection = await connectTo(tenant);
  const catalog = await openCatalog(database.url, {}, { queries: 4, pinned: 4 });
  const first = await newRepository(join(folder, 'repository'), catalog);
  const repositories = new Map([[newId(), first]]);
  let present = first;
  const organization = await buildOrganization(database.pool, tenant.tenantId);
  const sent: RestoreBed['sent'] = [];
  const signIns: RestoreBed['signIns'] = new Map();
  const given = {
    pool: database.pool,
    repositories,
    connection,
    catalog,
    signIns,
    downloadsFolder: join(folder, 'downloads'),
  };
  const services = servicesOf(given);
  const server = await openBedServer(services, sent);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const jobId = newId();
  const callers = callersOf(database.pool, url, organization);
  const bed: RestoreBed = {
    ...{ tenant, connection, url, organization, jobId, services, stored: first, sent, signIns },
    ...callers,
    async asAdministrator() {
      const caller = await callers.as('o365_admin');
      await callers.prove(caller, 'administrator');
      return caller;
    },
    backUp: () => backUpSome(present, connection, jobId, size),
    async moveJob() {
      present = await newRepository(join(folder, `repository-${repositories.size}`), catalog);
      repositories.set(newId(), present);
      return present;
    },
    work: (signal) => workOff(services, sent, signal),
    async stop() {
      await server.close();
      await Promise.all([...repositories.values()].map(({ repository }) => repository.close()));
      await catalog.close();
      await tenant.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await bed.backUp();
  return bed;
}

type Pool = Awaited<ReturnType<typeof createTestDatabase>>['pool'];

interface Given {
  pool: Pool;
  repositories: ReadonlyMap<string, Stored>;
  connection: Connected;
  catalog: Awaited<ReturnType<typeof openCatalog>>;
  signIns: RestoreBed['signIns'];
  downloadsFolder: string;
}

function servicesOf({ pool, repositories, connection, catalog, signIns, downloadsFolder }: Given): RestoreServices {
  return {
    database: pool,
    secrets: secretBox('secret of the tests'),
    log: openLog('silent', 'test'),
    now: () => new Date(),
    findOrganization: (scope, id) => findOrganization(pool, scope, id),
    repositoriesOf: async () => [...repositories.keys()],
    async openStored(providerId, id) {
      const stored = repositories.get(id);
      if (providerId !== 1 || stored === undefined) throw notFound('repository');
      return stored;
    },
    connectOrganization: async () => connection,
    groups: openGroupReader({ connectOrganization: async () => connection, now: () => new Date() }),
    restoreJournals: async ({ repository }) => catalog.restoreJournals(repository.id),
    downloadsFolder,
    signIn: {
      async begin(): Promise<BegunSignIn> {
        const secret = newId();
        signIns.set(secret, 'pending');
        const verificationUrl = 'https://microsoft.test/devicelogin';
        const shown = { userCode: secret.slice(0, 8), verificationUrl, message: 'Sign in' };
        return { ...shown, secret, expiresAt: new Date(Date.now() + 900_000), intervalMs: 0 };
      },
      redeem: async (_organization, secret) => signIns.get(secret) ?? 'pending',
    },
  };
}

function openBedServer(services: RestoreServices, sent: RestoreBed['sent']) {
  const { database, log, now, secrets } = services;
  return openServer({
    database,
    queue: recordingQueue(sent),
    log,
    metrics: openMetrics('test'),
    now,
    secrets,
    publicUrl: 'https://portal.test',
    trustedProxies: 0,
    requestsPerMinute: 100_000,
    routes: restoreCalls(services),
    authenticate: (token) => actorOf(database, token, now()),
  });
}

function callersOf(pool: Pool, url: string, { id, companyId }: RestoreOrganization): Pick<RestoreBed, 'as' | 'prove'> {
  return {
    as: (role, options) => signInAs({ url, pool, now: new Date() }, [role], options),
    async prove({ userId }, role, accountId = 'a-person') {
      await execute(
        pool,
        sql`insert into restore_sign_ins (provider_id, user_id, organization_id, company_id, user_code, secret, interval_ms, next_ask_at, expires_at, account, account_id, role)
            values (1, ${userId}, ${id}, ${companyId}, 'CODE', '\\x00', 5000, now(), now() + interval '1 hour', 'admin@contoso.test', ${accountId}, ${role})`,
      );
    },
  };
}

async function backUpSome(
  stored: Stored,
  connection: Connected,
  jobId: string,
  { kinds = ['mailbox'], users = 3, usersAfter = 0, sites = 0 }: BedSize,
): Promise<void> {
  const work = { signal: new AbortController().signal, onEvent() {} };
  const include = await someOf(connection, { users, usersAfter, sites });
  const selection = { scope: 'selected', kinds, include, exclude: [], personalSites: false } as const;
  await backUp(stored, await openSource(connection), { job: { id: jobId, name: 'Nightly', selection } }, work);
  await indexTexts(stored, work);
}

async function workOff(
  restore: RestoreServices,
  sent: RestoreBed['sent'],
  signal = new AbortController().signal,
): Promise<void> {
  for (const { name, payload } of sent.splice(0)) {
    const found = restoreJobs.find(({ job }) => job.name === name);
    if (found === undefined) throw new Error(`There is no job ${name}.`);
    await found.run({ restore }, payload, signal);
  }
}

function connectTo(tenant: RunningTenant): Promise<Connected> {
  const { clientId, clientSecret: secret } = tenant.application;
  const { tenantId, loginUrl, graphUrl, sharePointUrl } = tenant;
  const applications = [{ clientId, secret }];
  const options = { cloud: 'worldwide', tenantId, applications, loginUrl, graphUrl, sharePointUrl } as const;
  return connect({ ...options, licences: Number.POSITIVE_INFINITY }, () => {});
}

async function newRepository(folder: string, catalog: Awaited<ReturnType<typeof openCatalog>>): Promise<Stored> {
  const repository = await createRepository(await openStore(folder, {}), PASSWORD, { passwordCost: LOW_PASSWORD_COST });
  return { repository, catalog: await catalog.repository(repository.id) };
}

async function buildOrganization(
  pool: Awaited<ReturnType<typeof createTestDatabase>>['pool'],
  tenantId: string,
): Promise<RestoreOrganization> {
  const companyId = await buildCompany(pool);
  const id = newId();
  await execute(
    pool,
    sql`insert into m365_organizations (provider_id, id, company_id, engine, name, office_name, tenant_id, region, auth_type, services, created_at)
        values (1, ${id}, ${companyId}, 'built-in', 'Contoso', 'contoso.onmicrosoft.com', ${tenantId}, 'Worldwide', 'modern', '{exchange}', now())`,
  );
  return { providerId: 1, id, companyId, name: 'Contoso', tenantId, region: 'Worldwide' };
}

function findOrganization(
  pool: Awaited<ReturnType<typeof createTestDatabase>>['pool'],
  scope: Scope,
  id: string,
): Promise<RestoreOrganization | null> {
  return row(
    pool,
    sql`select o.provider_id as "providerId", o.id, o.company_id as "companyId", o.name, o.tenant_id as "tenantId", o.region
        from m365_organizations o where ${scope.rows('o')} and o.id = ${id}`,
  );
}

async function someOf(connection: Connected, { users, usersAfter, sites }: Required<Omit<BedSize, 'kinds'>>) {
  const all = async (path: string) => (await connection.page({ path })).value;
  const named = (type: 'user' | 'site' | 'team') => (one: Readonly<Record<string, unknown>>) => ({
    type,
    id: String(one['id']),
  });
  const shops = (await all('/sites/getAllSites')).filter((site) => String(site['webUrl']).includes('/sites/'));
  return [
    ...(await all('/users?$select=id')).slice(usersAfter, usersAfter + users).map(named('user')),
    ...shops.slice(0, sites).map(named('site')),
    ...(sites === 0 ? [] : (await all('/teams')).slice(0, 1).map(named('team'))),
  ];
}
