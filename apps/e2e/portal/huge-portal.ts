import { buildDays, buildJobs, finishDataset } from '@keepwatch/bench/monitoring/dataset';
import { backUpLargeMailbox } from '@keepwatch/bench/portal/backed-up';
import { buildCompany, buildJob, buildOrganization, buildRepository } from '@keepwatch/bench/portal/bench-organization';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { createUser } from '@keepwatch/server/directory/users';
import { openPool, type Pool } from '@keepwatch/server/foundation/database';
import { migrateDatabase } from '@keepwatch/server/foundation/migrations';
import { hashOfPassword, secretBox } from '@keepwatch/server/foundation/secrets';
import { type RunningPortal, startPortal } from './running-portal.ts';

export const HUGE_ACCOUNT = { username: 'huge', password: 'a provider with 5,000 jobs' };
/** Of the same provider, for its Microsoft 365: one organization with one mailbox of 50,000 messages. */
export const LARGE_MAIL_ACCOUNT = { username: 'large-mail', password: 'a mailbox with 50,000 messages' };
const SECRET = 'the secret of the huge portal';
const SIZE = { providers: 1, companies: 250, jobs: 20 };
const DAYS = 35;

/** A portal without sandbox, for a provider of 250 companies and 5,000 jobs with 35 days of runs, and with a large mailbox. */
export async function startHugePortal(dataDir: string): Promise<RunningPortal> {
  const database = await startEmbeddedDatabase({ dataDir, durable: false, log: () => {} });
  await migrateDatabase(database.url);
  const pool = openPool(database.url, { connectionsMax: 2, statementTimeoutMs: 0, name: 'e2e' });
  await buildJobs(pool, SIZE);
  await buildDays(pool, { from: 0, to: DAYS }, new Date());
  await finishDataset(pool, SIZE);
  await addUser(pool, HUGE_ACCOUNT, ['operator', 'admin']);
  await addUser(pool, LARGE_MAIL_ACCOUNT, ['o365_admin']);
  await buildLargeMailbox(pool, dataDir, database.url);
  await pool.end();
  const environment = { DATABASE_URL: database.url, DATA_DIR: dataDir, ROLES: 'api', KEEPWATCH_SECRET: SECRET };
  const portal = await startPortal('serve', environment);
  return {
    url: portal.url,
    async stop() {
      await portal.stop();
      await database.stop();
    },
  };
}

async function addUser(
  pool: Pool,
  { username, password }: typeof HUGE_ACCOUNT,
  roles: Parameters<typeof createUser>[1]['roles'],
): Promise<void> {
  const passwordHash = await hashOfPassword(password);
  const email = `${username}@example.test`;
  await createUser(pool, { providerId: 1, username, name: username, email, passwordHash, roles });
}

/** It is made in the catalog: no journey reads what is in a message. */
async function buildLargeMailbox(pool: Pool, folder: string, databaseUrl: string): Promise<void> {
  const tenantId = crypto.randomUUID();
  const application = { clientId: crypto.randomUUID(), clientSecret: 'of no use' };
  const secrets = secretBox(SECRET);
  const organization = await buildOrganization(pool, secrets, await buildCompany(pool), { tenantId, application });
  const backedUp = await backUpLargeMailbox(folder, databaseUrl, tenantId);
  const repositoryId = await buildRepository(pool, secrets, organization, backedUp);
  // Without a job every screen would ask for one.
  await buildJob(pool, organization, repositoryId, [crypto.randomUUID()]);
}
