import { buildDays, buildJobs, finishDataset } from '@keepwatch/bench/monitoring/dataset';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { createUser } from '@keepwatch/server/directory/users';
import { openPool } from '@keepwatch/server/foundation/database';
import { migrateDatabase } from '@keepwatch/server/foundation/migrations';
import { hashOfPassword } from '@keepwatch/server/foundation/secrets';
import { type RunningPortal, startPortal } from './running-portal.ts';

export const HUGE_ACCOUNT = { username: 'huge', password: 'a provider with 5,000 jobs' };
const SIZE = { providers: 1, companies: 250, jobs: 20 };
const DAYS = 35;

/** A portal without sandbox, for a provider of 250 companies and 5,000 jobs with 35 days of runs. */
export async function startHugePortal(dataDir: string): Promise<RunningPortal> {
  const database = await startEmbeddedDatabase({ dataDir, durable: false, log: () => {} });
  await migrateDatabase(database.url);
  const pool = openPool(database.url, { connectionsMax: 2, statementTimeoutMs: 0, name: 'e2e' });
  await buildJobs(pool, SIZE);
  await buildDays(pool, { from: 0, to: DAYS }, new Date());
  await finishDataset(pool, SIZE);
  const passwordHash = await hashOfPassword(HUGE_ACCOUNT.password);
  const user = {
    providerId: 1,
    name: 'Huge',
    email: 'huge@example.test',
    passwordHash,
    roles: ['operator', 'admin'] as const,
  };
  await createUser(pool, { ...user, username: HUGE_ACCOUNT.username });
  await pool.end();
  const portal = await startPortal('serve', { DATABASE_URL: database.url, DATA_DIR: dataDir, ROLES: 'api' });
  return {
    url: portal.url,
    async stop() {
      await portal.stop();
      await database.stop();
    },
  };
}
