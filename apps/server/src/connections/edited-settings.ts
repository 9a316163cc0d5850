import type { Manifest, Testable } from '@keepwatch/connectors/base/manifest';
import type { Settings } from '@keepwatch/connectors/base/setting-field';
import type { TestOutcome } from '@keepwatch/contract/connections/connections';
import { conflict, invalid } from '../foundation/errors.ts';
import { completeSettings } from './complete-settings.ts';
import type { ConnectionServices } from './connection-services.ts';
import {
  openSettings,
  type StoredSettings,
  sealSettings,
  settingsForAddress,
  withoutLostSecrets,
} from './connection-settings.ts';
import type { StoredConnection } from './connections.ts';
import { requireWorking, testSettings } from './test-connection.ts';

/** Loads the manifest of a kind that a user chose. Throws 422 for a port or a kind that is none. */
export function loadKind({ connectors }: ConnectionServices, port: string, kind: string): Promise<Manifest<Testable>> {
  if (!connectors.ports.includes(port))
    throw invalid([{ path: 'body.port', message: `must be one of ${connectors.ports.join(', ')}` }]);
  const kinds = connectors.kindsOf(port).map((known) => known.kind);
  if (!kinds.includes(kind)) throw invalid([{ path: 'body.kind', message: `must be one of ${kinds.join(', ')}` }]);
  return connectors.load(port, kind);
}

/** Settings as a user gave them, for a kind of connection. */
export interface GivenSettings {
  port: string;
  kind: string;
  settings: Settings;
}

/** Tests given settings without saving them. Secrets that are not given are those of `stored`, if it is of the same kind. */
export async function testGiven(
  services: ConnectionServices,
  given: GivenSettings,
  stored: StoredConnection | null,
  stop: AbortSignal,
): Promise<TestOutcome> {
  const manifest = await loadKind(services, given.port, given.kind);
  const isSameKind = stored?.port === given.port && stored.kind === given.kind;
  const secrets = isSameKind
    ? settingsForAddress(
        services.secrets,
        withoutLostSecrets(services.secrets, stored),
        manifest.settings,
        given.settings,
      )
    : null;
  return testSettings(services, manifest, completeSettings(manifest.settings, given.settings, secrets), stop);
}

/** The settings of a new connection: complete, tested and not sealed yet. */
export interface TestedSettings {
  manifest: Manifest<Testable>;
  settings: Settings;
  outcome: TestOutcome;
}

/** Completes and tests the settings of a new connection. Throws 422 unless they work; `what` is the noun of the message: `source`. */
export async function requireNewSettings(
  services: ConnectionServices,
  given: GivenSettings,
  what: string,
  stop: AbortSignal,
): Promise<TestedSettings> {
  const manifest = await loadKind(services, given.port, given.kind);
  const settings = completeSettings(manifest.settings, given.settings, null);
  return { manifest, settings, outcome: await requireWorking(services, manifest, settings, what, stop) };
}

/** Settings of a stored connection after an edit: complete and, where they are new, tested. */
export interface EditedSettings {
  manifest: Manifest<Testable>;
  before: Settings;
  after: Settings;
  areNew: boolean;
  /** `null` where they are not new: what no longer answers can still be renamed or switched off. */
  outcome: TestOutcome | null;
}

/** Completes edited settings with the stored secrets, and tests new ones. Throws 422 unless those work. */
export async function requireEditedSettings(
  services: ConnectionServices,
  stored: StoredConnection,
  given: Settings,
  what: string,
  stop: AbortSignal,
): Promise<EditedSettings> {
  const manifest = await services.connectors.load(stored.port, stored.kind);
  const readable = withoutLostSecrets(services.secrets, stored);
  const before = openSettings(services.secrets, readable);
  const secrets = settingsForAddress(services.secrets, readable, manifest.settings, given);
  const after = completeSettings(manifest.settings, given, secrets);
  const areNew = isChanged(manifest, before, after);
  const outcome = areNew ? await requireWorking(services, manifest, after, what, stop) : null;
  return { manifest, before, after, areNew, outcome };
}

/**
 * Returns what to store for edited settings in a connection as it is now, locked: a test takes up to half a minute, in which others
 * change it. Settings that were not edited stay as they are now. Throws 409 for new ones where others were saved meanwhile, because
 * the two together were never tested.
 */
export function editedNow(
  { secrets: box }: ConnectionServices,
  now: StoredConnection,
  { manifest, before, after, areNew }: EditedSettings,
  what: string,
): StoredSettings {
  if (!areNew) return { settings: now.settings, secrets: now.secrets };
  if (isChanged(manifest, before, openSettings(box, withoutLostSecrets(box, now))))
    throw conflict(`Another user has just changed the settings of this ${what}. Open it again and repeat your change.`);
  return sealSettings(box, now, manifest.settings, after);
}

function isChanged({ settings: fields }: Manifest<Testable>, before: Settings, after: Settings): boolean {
  return fields.some(({ name }) => (after[name] ?? '') !== (before[name] ?? ''));
}
