import { loadBackupSource } from '@keepwatch/connectors/registry';
import { systemClock } from '../foundation/clock.ts';
import type { Pool } from '../foundation/database.ts';
import type { Log } from '../foundation/log.ts';
import { readSecret, secretBox } from '../foundation/secrets.ts';
import type { Settings } from '../foundation/settings.ts';
import { keepSource } from '../monitoring/intake/keep-source.ts';
import { DEMONSTRATION_PROVIDER, keepDemonstration, keepReseller } from './demonstration.ts';
import { openDatabase } from './open-database.ts';
import type { RunningRole } from './running-role.ts';

const SOURCE_ID = '5a4d0b0c-0000-8000-8000-000000000001';
const SYNC_INTERVAL_MINUTES = 1;

interface Console {
  url: string;
  apiKey: string;
  thumbprint: string;
}

/** The sandbox vendors, and the demonstration provider that is connected to them. */
export async function startSandboxVendors(settings: Settings, log: Log): Promise<RunningRole> {
  const { startSandbox } = await import('@keepwatch/sandbox/server');
  const sandbox = await startSandbox({ port: settings.SANDBOX_PORT, now: systemClock.now });
  const database = openDatabase(settings, log, 'worker');
  await keepDemonstration(database);
  await connect(database, settings, log, sandbox);
  return {
    lines: [],
    async stop() {
      await Promise.all([sandbox.stop(), database.end()]);
    },
  };
}

async function connect(database: Pool, settings: Settings, log: Log, console: Console): Promise<void> {
  const manifest = await loadBackupSource('vac');
  const sourceSettings = { url: console.url, apiKey: console.apiKey, thumbprint: console.thumbprint };
  await keepSource(
    database,
    secretBox(await readSecret(settings.KEEPWATCH_SECRET, settings.DATA_DIR)),
    manifest.settings,
    {
      providerId: DEMONSTRATION_PROVIDER,
      id: SOURCE_ID,
      kind: 'vac',
      name: 'Sandbox console',
      settings: sourceSettings,
      syncIntervalMinutes: SYNC_INTERVAL_MINUTES,
    },
  );
  const source = manifest.open(sourceSettings, {
    now: systemClock.now,
    allowPrivateAddresses: true,
    log: (level, message, details) => log[level](details, message),
  });
  await keepReseller(database, source.listCompanies(AbortSignal.timeout(30_000)));
}
