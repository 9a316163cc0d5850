import { ConnectorError, type ConnectorErrorKind } from '@keepwatch/connectors/base/connector-error';
import type { Manifest, Testable } from '@keepwatch/connectors/base/manifest';
import type { Settings } from '@keepwatch/connectors/base/setting-field';
import type { TestOutcome } from '@keepwatch/contract/connections/connections';
import { invalid } from '../foundation/errors.ts';
import type { ConnectionServices } from './connection-services.ts';
import { openSettings, openVendor } from './connection-settings.ts';
import type { RecordedHealth, StoredConnection } from './connections.ts';

/** Maximum duration of a test, as a user waits for it. */
const TEST_LIMIT_MS = 30_000;

const OUTCOMES: Readonly<Record<ConnectorErrorKind, TestOutcome['outcome']>> = {
  'wrong-credentials': 'wrong-credentials',
  'not-allowed': 'not-allowed',
  'not-reachable': 'not-reachable',
  throttled: 'not-reachable',
  'wrong-version': 'wrong-version',
  'bad-reply': 'wrong-version',
};

/** What a failure says of a connection. */
export function outcomeOf({ kind, message }: ConnectorError): TestOutcome {
  return { outcome: OUTCOMES[kind], message };
}

/** Tests settings: signs in and reads the version of what answers. When `stop` is aborted, it ends at once and throws the reason. */
export async function testSettings(
  services: ConnectionServices,
  manifest: Manifest<Testable>,
  settings: Settings,
  stop: AbortSignal,
): Promise<TestOutcome> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TEST_LIMIT_MS)]);
  try {
    const { version } = await openVendor(services, manifest, settings).test(signal);
    return { outcome: 'works', message: `${manifest.label} ${version} answers.` };
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof ConnectorError) return outcomeOf(error);
    if (!signal.aborted) throw error;
    return { outcome: 'not-reachable', message: `It did not answer within ${TEST_LIMIT_MS / 1_000} seconds.` };
  }
}

/** Tests a connection with its stored settings. One that cannot be opened does not work. */
export async function testStored(
  services: ConnectionServices,
  stored: StoredConnection,
  stop: AbortSignal,
): Promise<TestOutcome> {
  try {
    const manifest = await services.connectors.load(stored.port, stored.kind);
    return await testSettings(services, manifest, openSettings(services.secrets, stored), stop);
  } catch (error) {
    if (error instanceof ConnectorError) return outcomeOf(error);
    throw error;
  }
}

/** What a test says of the health of a connection. */
export function healthOf({ outcome, message }: TestOutcome): RecordedHealth {
  return { state: outcome === 'works' ? 'ok' : 'failing', message };
}

/** Throws 422 unless the settings work, so that others are never saved. `what` is the noun of the message: `source`. */
export async function requireWorking(
  services: ConnectionServices,
  manifest: Manifest<Testable>,
  settings: Settings,
  what: string,
  stop: AbortSignal,
): Promise<TestOutcome> {
  const tested = await testSettings(services, manifest, settings, stop);
  if (tested.outcome === 'works') return tested;
  throw invalid([{ path: 'body.settings', message: tested.message }], `The ${what} was not saved.`);
}
