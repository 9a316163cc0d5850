import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreMailboxToOriginal } from '@keepwatch/contract/restore/mailboxes';
import { openRestoreSession, readRestoreOperation } from '@keepwatch/contract/restore/sessions';
import { backUp, connect, createRepository, openCatalog, openSource, openStore } from '@keepwatch/engine/engine';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../foundation/database.ts';
import { openLog } from '../foundation/log.ts';
import { openQueue } from '../foundation/queue.ts';
import { newId } from '../foundation/secrets.ts';
import { runRestoreJob } from '../restore/operations/run-restore.job.ts';
import { type BuiltOrganization, buildM365Repository, buildOwnOrganization } from '../testing/microsoft365-builders.ts';
import { addressesOf, type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

const PASSWORD = 'a password of a test';
const INTO = 'Restored after a kill';
const ROLE = join(import.meta.dirname, 'role.ts');

let folder: string;
let tenant: RunningTenant;
let portal: TestPortal;
let connection: Awaited<ReturnType<typeof connect>>;
const workers = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-killed-restore-'));
  // Late answers, so that the restore can be caught in the middle.
  tenant = await startTenant({ size: 'small', budgets: false, latencyMs: 60 });
  portal = await startTestPortal(undefined, { microsoft: addressesOf(tenant.url) });
  portal.clock.now = new Date();
  const { clientId, clientSecret: secret } = tenant.application;
  const { tenantId, loginUrl, graphUrl, sharePointUrl } = tenant;
  const applications = [{ clientId, secret }];
  connection = await connect(
    { cloud: 'worldwide', tenantId, applications, loginUrl, graphUrl, sharePointUrl, licences: 100 },
    () => undefined,
  );
}, 60_000);

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await portal.stop();
  await tenant.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The worker of the product, in a process of its own. */
async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [ROLE, 'worker'], {
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
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  workers.add(child);
  const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  expect(said).toMatchObject({ ready: true });
  return child;
}

/** Backs up the mailbox of a user. */
async function backUpMailbox(organization: BuiltOrganization, userId: string): Promise<void> {
  const path = join(folder, 'repository');
  const catalogs = await openCatalog(portal.databaseUrl, {}, { queries: 2, pinned: 2 });
  const repository = await createRepository(await openStore(path, {}), PASSWORD);
  const include = [{ type: 'user' as const, id: userId }];
  const selection = { scope: 'selected', kinds: ['mailbox'], include, exclude: [], personalSites: false } as const;
  const stored = { repository, catalog: await catalogs.repository(repository.id) };
  const work = { signal: new AbortController().signal, onEvent() {} };
  await backUp(stored, await openSource(connection), { job: { id: newId(), name: 'Nightly', selection } }, work);
  await repository.close();
  await catalogs.close();
  await buildM365Repository(portal.database, organization, { path, password: PASSWORD });
}

/** A user who has proved to be an administrator of the tenant. */
async function administratorOf({ id, companyId }: BuiltOrganization): Promise<Caller> {
  const caller = await portal.as('o365_admin');
  await execute(
    portal.database,
    sql`insert into restore_sign_ins (provider_id, user_id, organization_id, company_id, user_code, secret, interval_ms, next_ask_at, expires_at, account, account_id, role)
        values (1, ${caller.userId}, ${id}, ${companyId}, 'CODE', '\\x00', 5000, now(), now() + interval '1 hour', 'admin@contoso.test', 'admin', 'administrator')`,
  );
  return caller;
}

/** Puts the job of a restore into the queue, as the api does. */
async function sendToWorkers(operationId: string): Promise<void> {
  const queue = await openQueue(portal.databaseUrl, openLog('error', 'test'), {
    jobs: [runRestoreJob],
    runsJobs: false,
  });
  await transaction(portal.database, (one) => queue.send(one, runRestoreJob, { providerId: 1, operationId }));
  await queue.stop();
}

/** Messages in a folder and all below it, by the paths of their folders. */
async function messagesBelow(userId: string, path: string, name: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const folders = (await connection.page({ path: `/users/${userId}/${path}?$top=100` })).value;
  for (const one of folders) {
    const place = `${name}/${String(one['displayName'])}`;
    found.set(place, Number(one['totalItemCount']));
    for (const [below, count] of await messagesBelow(userId, `mailFolders/${String(one['id'])}/childFolders`, place))
      found.set(below, count);
  }
  return found;
}

it('a restore whose worker is killed goes on in another one within a minute, and nothing is doubled', async () => {
  const { clientId, clientSecret: secret } = tenant.application;
  const application = { clientId, proof: { secret } };
  const organization = await buildOwnOrganization(portal.database, { tenantId: tenant.tenantId, application });
  const user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null);
  const mailboxId = user?.id ?? '';
  await backUpMailbox(organization, mailboxId);
  const before = await messagesBelow(mailboxId, 'mailFolders', '');

  const caller = await administratorOf(organization);
  const { id: organizationId, companyId } = organization;
  const datetime = new Date(Date.now() + 60_000).toISOString();
  const opened = await caller.call(openRestoreSession, {
    body: { companyId, organizationId, datetime, sessionType: 'vex' },
  });
  const params = { restoreSessionId: opened.data.id, mailboxId };
  const begun = await caller.call(restoreMailboxToOriginal, { params, body: { options: { folder: INTO } } });
  const operationId = begun.data.id;
  const read = async () => (await caller.call(readRestoreOperation, { params: { operationId } })).data;

  const first = await startWorker();
  await sendToWorkers(operationId);
  await expect.poll(async () => (await read()).done, { timeout: 60_000 }).toBeGreaterThan(10);
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect(await read()).toMatchObject({ state: 'Running' });
  const { done: doneBefore } = await read();

  const killedAt = Date.now();
  await startWorker();
  await expect.poll(async () => (await read()).done, { timeout: 90_000 }).toBeGreaterThan(doneBefore);
  expect(Date.now() - killedAt).toBeLessThan(60_000);
  await expect.poll(async () => (await read()).state, { timeout: 120_000 }).not.toBe('Running');
  expect(await read()).toMatchObject({ failed: 0, notBegun: 0 });

  const after = await messagesBelow(mailboxId, 'mailFolders', '');
  const restored = [...after].filter(([path]) => path.startsWith(`/${INTO}/`));
  const expected = [...before].filter(([, count]) => count > 0).map(([path, count]) => [`/${INTO}${path}`, count]);
  expect(restored.filter(([, count]) => count > 0).toSorted()).toEqual(expected.toSorted());
}, 300_000);
