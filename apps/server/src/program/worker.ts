import { availableParallelism, hostname } from 'node:os';
import { connectors } from '@keepwatch/connectors/registry';
import { VERSION } from '../branding/brands.ts';
import { systemClock } from '../foundation/clock.ts';
import { openSecretSource } from '../foundation/installation-secret.ts';
import type { Log } from '../foundation/log.ts';
import { openMetrics } from '../foundation/metrics.ts';
import { deliverEvents } from '../foundation/outbox/outbox.ts';
import { openQueue } from '../foundation/queue.ts';
import { newId, secretBox } from '../foundation/secrets.ts';
import type { Settings } from '../foundation/settings.ts';
import type { ConnectOrganization } from '../microsoft365/microsoft365-services.ts';
import { connectOrganization } from '../microsoft365/organizations/connect-organization.ts';
import { microsoftOf } from '../microsoft365/organizations/microsoft-place.ts';
import { placeRulesOf } from '../microsoft365/repositories/place-rules.ts';
import { openStoredRepositories } from '../microsoft365/repositories/stored-repositories.ts';
import { startSessionWorker } from '../microsoft365/sessions/session-worker.ts';
import { openRestoreServices } from '../restore/open-restore-services.ts';
import { jobs, works } from './jobs.ts';
import { openDatabase } from './open-database.ts';
import { publicUrlOf } from './public-url.ts';
import type { RunningRole } from './running-role.ts';
import { subscribers } from './subscribers.ts';

/** Sessions of the database for the catalog of the engine, which runs share. */
const CATALOG_SESSIONS = { queries: 6, pinned: 4 };
/** One run of a tenant that answers at once is enough for a processor; while one waits for Microsoft, another works. */
const RUNS_AT_ONCE = Math.max(2, availableParallelism());

/** Everything that runs outside requests: syncs, missed runs, housekeeping. Any number of workers may run. */
export async function startWorker(settings: Settings, log: Log): Promise<RunningRole> {
  const database = openDatabase(settings, log, 'worker');
  const queue = await openQueue(settings.DATABASE_URL, log, { jobs, runsJobs: true });
  const stored = openStoredRepositories({
    databaseUrl: settings.DATABASE_URL,
    rules: placeRulesOf(settings),
    ...CATALOG_SESSIONS,
  });
  const services = {
    database,
    queue,
    log,
    metrics: openMetrics('worker'),
    now: systemClock.now,
    secrets: secretBox((await openSecretSource(settings)).read),
    connectors,
    stored,
    allowPrivateAddresses: settings.ALLOW_PRIVATE_ADDRESSES,
    publicUrl: publicUrlOf(settings),
    dataDir: settings.DATA_DIR,
    isEmbedded: settings.EMBEDDED_DATABASE,
  };
  const microsoft = microsoftOf(settings);
  const connect: ConnectOrganization = (organization) => connectOrganization({ ...services, microsoft }, organization);
  const restore = openRestoreServices({ ...services, microsoft });
  await queue.run(works, { ...services, restore, connect });
  const sessions = startSessionWorker(
    { ...services, connect },
    {
      id: newId(),
      name: hostname(),
      version: VERSION,
      pool: settings.PROXY_POOL || null,
      capacity: settings.RUNS_AT_ONCE ?? RUNS_AT_ONCE,
    },
  );
  const delivery = deliverEvents({ ...services, subscribers });
  return {
    lines: [],
    async stop() {
      await Promise.all([delivery.stop(), queue.stop(), sessions.stop()]);
      await stored.close();
      await database.end();
    },
  };
}
