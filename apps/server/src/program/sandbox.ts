import type { Settings as ConsoleSettings } from '@keepwatch/connectors/base/setting-field';
import type { BackupSource } from '@keepwatch/connectors/ports/backup-source';
import { connectors } from '@keepwatch/connectors/registry';
import { sealSettings } from '../connections/connection-settings.ts';
import { provideConnection } from '../connections/connections.ts';
import { CONSOLE_PORT } from '../connections/managed-ports.ts';
import { systemClock } from '../foundation/clock.ts';
import type { Pool } from '../foundation/database.ts';
import { openSecretSource } from '../foundation/installation-secret.ts';
import type { Log } from '../foundation/log.ts';
import { secretBox } from '../foundation/secrets.ts';
import type { Settings } from '../foundation/settings.ts';
import { SMS_PORT } from '../identity/second-factors/sms-service.ts';
import { readConnectedAt } from '../microsoft365/organizations/store-organization.ts';
import { storeSource } from '../sources/store-source.ts';
import { DEMONSTRATION_PROVIDER, ensureDemonstration, ensureReseller } from './demonstration.ts';
import { ensureDemonstrationOrganization, ORGANIZATION_ID } from './demonstration-organization.ts';
import { firstMorning } from './history/nights.ts';
import { untilPortalIsUp } from './history/portal-is-up.ts';
import { openDatabase } from './open-database.ts';
import { ensurePastRepositories } from './past-repositories.ts';
import type { RunningRole } from './running-role.ts';

const SOURCE = { providerId: DEMONSTRATION_PROVIDER, id: '5a4d0b0c-0000-8000-8000-000000000001', kind: 'vac' };
const PHONE = { providerId: DEMONSTRATION_PROVIDER, id: '5a4d0b0c-0000-8000-8000-000000000002' };
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
  await ensureDemonstration(database);
  await connect(database, settings, log, sandbox);
  const tenants = await startTenants(database, settings, log);
  const phone = await startPhone(database, settings);
  await ensurePastRepositories(database, SOURCE, systemClock.now(), async (now) => {
    // A second sandbox of the same world: readers of the first one never see its clock go back.
    const past = await startSandbox({ now });
    return { source: await openSource(past, log), close: past.stop };
  });
  return {
    lines: [],
    async stop() {
      // The past that is being made still writes.
      await Promise.all([sandbox.stop(), tenants?.stop(), phone?.stop()]);
      await database.end();
    },
  };
}

/** Two tenants of Microsoft 365: the demonstration backs up one, since three weeks, and the other is there to be connected. */
async function startTenants(database: Pool, settings: Settings, log: Log): Promise<{ stop(): Promise<void> } | null> {
  if (settings.SANDBOX_TENANT_PORT === 0) return null;
  const now = systemClock.now();
  const organization = { providerId: DEMONSTRATION_PROVIDER, id: ORGANIZATION_ID };
  const morning = (await readConnectedAt(database, organization)) ?? firstMorning(now);
  const { startLivingTenants } = await import('./history/living-tenants.ts');
  const { beginHistory } = await import('./history/begin-history.ts');
  const { tenants, liveUntil, followPresent } = await startLivingTenants(morning, {
    port: settings.SANDBOX_TENANT_PORT,
  });
  liveUntil(now);
  followPresent();
  const secrets = secretBox((await openSecretSource(settings)).read);
  const parts = { database, secrets, dataDir: settings.DATA_DIR, now, morning };
  await ensureDemonstrationOrganization(parts, DEMONSTRATION_PROVIDER, tenants);
  const history = await beginHistory({
    database,
    secrets,
    log,
    databaseUrl: settings.DATABASE_URL,
    organization,
    morning,
    present: tenants,
    untilReady: (signal) => untilPortalIsUp(database, signal),
  });
  return {
    async stop() {
      await history.stop();
      await tenants.stop();
    },
  };
}

/** Twilio with a phone that shows the messages; the demonstration sends its codes there. */
async function startPhone(database: Pool, settings: Settings): Promise<{ stop(): Promise<void> } | null> {
  if (settings.SANDBOX_SMS_PORT === 0) return null;
  const { startTwilio } = await import('@keepwatch/sandbox/twilio/server');
  const twilio = await startTwilio({ port: settings.SANDBOX_SMS_PORT, now: systemClock.now, control: true });
  const secrets = secretBox((await openSecretSource(settings)).read);
  const { accountSid: user, authToken: secret, serviceSid: service, url } = twilio;
  const { settings: fields } = await connectors.load(SMS_PORT, 'twilio');
  const sealed = sealSettings(secrets, PHONE, fields, { user, secret, service, messagesADay: '200', url });
  const connection = { ...PHONE, port: SMS_PORT, kind: 'twilio', name: 'Sandbox phone', isEnabled: true, ...sealed };
  await provideConnection(database, connection, systemClock.now());
  return twilio;
}

async function connect(database: Pool, settings: Settings, log: Log, console: Console): Promise<void> {
  const manifest = await connectors.load(CONSOLE_PORT, SOURCE.kind);
  const secrets = secretBox((await openSecretSource(settings)).read);
  const provided = {
    ...SOURCE,
    name: 'Sandbox console',
    settings: settingsOf(console),
    syncIntervalMinutes: SYNC_INTERVAL_MINUTES,
  };
  await storeSource(database, secrets, manifest.settings, provided, systemClock.now());
  const source = await openSource(console, log);
  await ensureReseller(database, SOURCE, source.listCompanies(AbortSignal.timeout(30_000)));
}

async function openSource(console: Console, log: Log): Promise<BackupSource> {
  const manifest = await connectors.load(CONSOLE_PORT, SOURCE.kind);
  return manifest.open(settingsOf(console), {
    now: systemClock.now,
    allowPrivateAddresses: true,
    log: (level, message, details) => log[level](details, message),
  });
}

function settingsOf({ url, apiKey, thumbprint }: Console): ConsoleSettings {
  return { url, apiKey, thumbprint };
}
