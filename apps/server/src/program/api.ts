import { join } from 'node:path';
import { connectors } from '@keepwatch/connectors/registry';
import { brandOfHost, VERSION } from '../branding/brands.ts';
import { systemClock } from '../foundation/clock.ts';
import { listenForEvents } from '../foundation/events.ts';
import { addHealth } from '../foundation/http/health.ts';
import { addLiveEvents } from '../foundation/http/live-events.ts';
import { addPages } from '../foundation/http/pages.ts';
import { openSecretSource } from '../foundation/installation-secret.ts';
import type { Log } from '../foundation/log.ts';
import { openMetrics } from '../foundation/metrics.ts';
import { measureEvents } from '../foundation/outbox/outbox.ts';
import { openQueue } from '../foundation/queue.ts';
import { secretBox } from '../foundation/secrets.ts';
import type { Settings } from '../foundation/settings.ts';
import { sessionOf } from '../identity/sessions.ts';
import { microsoftOf } from '../microsoft365/organizations/microsoft-place.ts';
import { placeRulesOf } from '../microsoft365/repositories/place-rules.ts';
import { openStoredRepositories } from '../microsoft365/repositories/stored-repositories.ts';
import { composeServer } from './compose.ts';
import { DEMONSTRATION } from './demonstration.ts';
import { addDescription } from './description.ts';
import { firstLines } from './first-lines.ts';
import { jobs } from './jobs.ts';
import { openDatabase } from './open-database.ts';
import { refusePublicDemonstration } from './public-demonstration.ts';
import { publicUrlOf } from './public-url.ts';
import type { RunningRole } from './running-role.ts';

const WEB_FOLDER = join(import.meta.dirname, '../../../web/dist');
/** A busy technician's browser asks about a hundred times a minute; a whole office may sit behind one address. */
const REQUESTS_PER_MINUTE = 3_000;

/** Sessions of the database for what browsers ask of the engine's catalog, and for restores that are read here. */
const CATALOG_SESSIONS = { queries: 4, pinned: 2 };

/** The portal itself: calls, live events, pages, health. */
export async function startApi(settings: Settings, log: Log): Promise<RunningRole> {
  const { now } = systemClock;
  const database = openDatabase(settings, log, 'api');
  await refusePublicDemonstration(database, settings);
  const queue = await openQueue(settings.DATABASE_URL, log, { jobs, runsJobs: false });
  const events = await listenForEvents(settings.DATABASE_URL, log);
  const metrics = openMetrics('api');
  const publicUrl = publicUrlOf(settings);
  const secretSource = await openSecretSource(settings);
  const stored = openStoredRepositories({
    databaseUrl: settings.DATABASE_URL,
    rules: placeRulesOf(settings),
    ...CATALOG_SESSIONS,
  });
  const server = await composeServer({
    database,
    queue,
    queueFigures: queue.figures,
    log,
    metrics,
    now,
    demonstration: settings.KEEPWATCH_MODE === 'start' ? DEMONSTRATION : null,
    secrets: secretBox(secretSource.read),
    secretSource,
    connectors,
    stored,
    microsoft: microsoftOf(settings),
    dataDir: settings.DATA_DIR,
    isEmbedded: settings.EMBEDDED_DATABASE,
    allowPrivateAddresses: settings.ALLOW_PRIVATE_ADDRESSES,
    publicUrl,
    trustedProxies: settings.TRUSTED_PROXIES,
    countryHeader: settings.COUNTRY_HEADER,
    requestsPerMinute: REQUESTS_PER_MINUTE,
  });
  const { DATA_DIR: dataDir, METRICS_TOKEN: metricsToken } = settings;
  addHealth(server, { database, queue, metrics, metricsToken, dataDir });
  measureEvents(metrics, database);
  addLiveEvents(server, { events, metrics, now, findSession: (token) => sessionOf(database, token, now()) });
  addDescription(server, VERSION);
  await addPages(server, WEB_FOLDER, (host) => brandOfHost(database, host));
  await server.listen({ host: settings.HOST, port: settings.PORT });
  return {
    lines: await firstLines(database, settings, publicUrl),
    async stop() {
      await server.close();
      await Promise.all([events.stop(), queue.stop(), stored.close()]);
      await database.end();
    },
  };
}
