import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMicrosoft365Engine } from '@keepwatch/connectors/suites/microsoft365-engine.suite';
import { connect } from '@keepwatch/engine/engine';
import { startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { transaction } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { buildOwnOrganization } from '../../testing/microsoft365-builders.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { seedProviders, TEST_SECRETS } from '../../testing/test-portal.ts';
import { openStoredRepositories } from '../repositories/stored-repositories.ts';
import { reportWorker } from '../workers/workers.ts';
import { BuiltInEngine } from './built-in-engine.ts';

describeMicrosoft365Engine('The built-in engine', async () => {
  const database = await createTestDatabase();
  await seedProviders(database.pool);
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-engine-'));
  const stored = openStoredRepositories({
    databaseUrl: database.url,
    rules: { repositoryRoot: folder, allowPrivateAddresses: false },
    queries: 2,
    pinned: 2,
  });
  const [organization, other] = [await buildOwnOrganization(database.pool), await buildOwnOrganization(database.pool)];
  const tenant = await startTenant({ size: 'small', budgets: false });
  const { tenantId, loginUrl, graphUrl, sharePointUrl } = tenant;
  const { clientId, clientSecret: secret } = tenant.application;
  const place = { cloud: 'worldwide', tenantId, loginUrl, graphUrl, sharePointUrl } as const;
  const connection = await connect({ ...place, applications: [{ clientId, secret }] }, () => undefined);
  const worker = { id: newId(), name: 'worker', version: '1', pool: 'Berlin', capacity: 4 };
  await reportWorker(database.pool, worker, 0);
  const services = {
    database: database.pool,
    secrets: TEST_SECRETS,
    stored,
    now: () => new Date(),
    connect: () => Promise.resolve(connection),
  };
  let places = 0;
  return {
    engine: new BuiltInEngine(services, organization),
    stranger: new BuiltInEngine(services, other),
    commit: (store) => transaction(database.pool, store),
    async newPlace() {
      places += 1;
      return { kind: 'folder', path: join(folder, String(places)) };
    },
    async stop() {
      await stored.close();
      await tenant.stop();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
});
