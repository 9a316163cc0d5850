import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  backUp,
  connect,
  createRepository,
  type GraphConnection,
  openCatalog,
  openSource,
  openStore,
  type Selection,
} from '@keepwatch/engine/engine';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { execute, transaction } from '../../foundation/database.ts';
import type { Job } from '../../foundation/jobs.ts';
import { openLog } from '../../foundation/log.ts';
import { openQueue } from '../../foundation/queue.ts';
import { newId } from '../../foundation/secrets.ts';
import {
  type BuiltOrganization,
  buildM365Repository,
  buildOwnOrganization,
} from '../../testing/microsoft365-builders.ts';
import { LOW_PASSWORD_COST } from '../../testing/password-cost.ts';
import { addressesOf, type Caller, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';

const PASSWORD = 'a password of a test';
const ROLE = join(import.meta.dirname, '../role.ts');

/** A sandbox tenant and a portal, over whose database roles of the product run in processes of their own, which a test kills. */
export class ProcessBed {
  readonly folder: string;
  readonly tenant: RunningTenant;
  readonly portal: TestPortal;
  readonly connection: GraphConnection;
  readonly organization: BuiltOrganization;
  private readonly children = new Set<ChildProcess>();

  private constructor(given: Pick<ProcessBed, 'folder' | 'tenant' | 'portal' | 'connection' | 'organization'>) {
    this.folder = given.folder;
    this.tenant = given.tenant;
    this.portal = given.portal;
    this.connection = given.connection;
    this.organization = given.organization;
  }

  /** @param latencyMs of the tenant: late answers, so that work can be caught in the middle */
  static async start({ latencyMs = 0 } = {}): Promise<ProcessBed> {
    const folder = await mkdtemp(join(tmpdir(), 'keepwatch-processes-'));
    const tenant = await startTenant({ size: 'small', budgets: false, latencyMs });
    const portal = await startTestPortal(undefined, { microsoft: addressesOf(tenant.url) });
    portal.clock.now = new Date();
    const { tenantId, loginUrl, graphUrl, sharePointUrl } = tenant;
    const { clientId, clientSecret: secret } = tenant.application;
    const place = { cloud: 'worldwide', tenantId, loginUrl, graphUrl, sharePointUrl, licences: 100 } as const;
    const connection = await connect({ ...place, applications: [{ clientId, secret }] }, () => undefined);
    const application = { clientId, proof: { secret } };
    const organization = await buildOwnOrganization(portal.database, { tenantId, application });
    return new ProcessBed({ folder, tenant, portal, connection, organization });
  }

  /** Starts a role of the product. */
  async startRole(role: 'api' | 'worker', environment: Record<string, string> = {}): Promise<ChildProcess> {
    const { portal, tenant, folder } = this;
    const child = spawn(process.execPath, [ROLE, role], {
      env: {
        ...process.env,
        DATABASE_URL: portal.databaseUrl,
        DATA_DIR: folder,
        KEEPWATCH_MODE: 'serve',
        KEEPWATCH_SECRET: 'secret of the tests',
        ALLOW_PRIVATE_ADDRESSES: 'true',
        MICROSOFT_LOGIN_URL: tenant.loginUrl,
        MICROSOFT_GRAPH_URL: tenant.graphUrl,
        MICROSOFT_SHAREPOINT_URL: tenant.sharePointUrl,
        LOG_LEVEL: 'error',
        ...environment,
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.children.add(child);
    const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    expect(said).toMatchObject({ ready: true });
    return child;
  }

  async kill(child: ChildProcess): Promise<void> {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Backs up some kinds of objects of a user into a new repository of the organization. */
  async backUp(userId: string, kinds: Selection['kinds']): Promise<void> {
    const path = join(this.folder, 'repository');
    const catalogs = await openCatalog(this.portal.databaseUrl, {}, { queries: 2, pinned: 2 });
    const repository = await createRepository(await openStore(path, {}), PASSWORD, { passwordCost: LOW_PASSWORD_COST });
    const include = [{ type: 'user' as const, id: userId }];
    const selection = { scope: 'selected', kinds, include, exclude: [], personalSites: false } as const;
    const stored = { repository, catalog: await catalogs.repository(repository.id) };
    const work = { signal: new AbortController().signal, onEvent() {} };
    await backUp(stored, await openSource(this.connection), { job: { id: newId(), name: 'Nightly', selection } }, work);
    await repository.close();
    await catalogs.close();
    await buildM365Repository(this.portal.database, this.organization, { path, password: PASSWORD });
  }

  /** A user who has proved to be an administrator of the tenant. */
  async administrator(): Promise<Caller> {
    const caller = await this.portal.as('o365_admin');
    const { id, companyId } = this.organization;
    await execute(
      this.portal.database,
      sql`insert into restore_sign_ins (provider_id, user_id, organization_id, company_id, user_code, secret, interval_ms, next_ask_at, expires_at, account, account_id, role)
          values (1, ${caller.userId}, ${id}, ${companyId}, 'CODE', '\\x00', 5000, now(), now() + interval '1 hour', 'admin@contoso.test', 'admin', 'administrator')`,
    );
    return caller;
  }

  /** Puts a job into the queue, as the api does. */
  async sendToWorkers<Payload extends object>(job: Job<Payload>, payload: Payload): Promise<void> {
    const queue = await openQueue(this.portal.databaseUrl, openLog('error', 'test'), { jobs: [job], runsJobs: false });
    await transaction(this.portal.database, (one) => queue.send(one, job, payload));
    await queue.stop();
  }

  async stop(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    await this.portal.stop();
    await this.tenant.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
