import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import type { Manifest, Testable } from '@keepwatch/connectors/base/manifest';
import { isSealed, type SettingField, type Settings } from '@keepwatch/connectors/base/setting-field';
import { sealedColumn } from '../foundation/sealed-column.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import type { ConnectionServices } from './connection-services.ts';
import { connections } from './tables.ts';

/** Settings as stored: the public ones, and the secrets, sealed for their row. */
export interface StoredSettings {
  settings: Settings;
  secrets: Buffer | null;
}

/** Whose settings they are. */
export interface ConnectionKey {
  providerId: number;
  id: string;
}

/**
 * Binds a connection's secrets to its row, so that they cannot be opened in another one. It says "source" for every connection:
 * secrets that were sealed when sources were the only ones must still open.
 */
function contextOf({ providerId, id }: ConnectionKey): string {
  return `source/${providerId}/${id}`;
}

export const SEALED_SETTINGS = sealedColumn(connections, 'secrets', ['providerId', 'id'], contextOf);

export function sealSettings(
  box: SecretBox,
  key: ConnectionKey,
  fields: readonly SettingField[],
  given: Settings,
): StoredSettings {
  const sealed = new Set(fields.filter(isSealed).map(({ name }) => name));
  const pick = (isSecret: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => sealed.has(name) === isSecret));
  return { settings: pick(false), secrets: box.seal(JSON.stringify(pick(true)), contextOf(key)) };
}

/**
 * Returns all settings of a connection with decrypted secrets. For the connector, never for a reply. Throws a `ConnectorError` for secrets
 * that were sealed with another key.
 */
export function openSettings(box: SecretBox, stored: ConnectionKey & StoredSettings): Settings {
  if (stored.secrets === null) return stored.settings;
  return { ...stored.settings, ...unsealed(box, stored.secrets, contextOf(stored)) };
}

function unsealed(box: SecretBox, secrets: Buffer, context: string): Settings {
  try {
    return JSON.parse(box.open(secrets, context));
  } catch (cause) {
    const message = 'The stored secrets cannot be opened with the key of this portal. Enter them again.';
    throw new ConnectorError('wrong-credentials', message, { cause });
  }
}

/** Returns a connection without secrets that cannot be opened, which a user has to enter again. */
export function withoutLostSecrets<Stored extends ConnectionKey & StoredSettings>(
  box: SecretBox,
  stored: Stored,
): Stored {
  return canOpenSettings(box, stored) ? stored : { ...stored, secrets: null };
}

/** Checks whether secrets were sealed with this key. Without secrets any key fits. */
export function canOpenSettings(box: SecretBox, stored: ConnectionKey & Pick<StoredSettings, 'secrets'>): boolean {
  try {
    openSettings(box, { ...stored, settings: {} });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the stored settings, whose secrets complete the given ones. Only for the addresses that they were entered for: otherwise
 * a user who may change the address could send them to another machine.
 */
export function settingsForAddress(
  box: SecretBox,
  stored: ConnectionKey & StoredSettings,
  fields: readonly SettingField[],
  given: Settings,
): Settings | null {
  const isSameAddress = fields
    .filter(({ kind }) => kind === 'url')
    .every(({ name }) => (given[name] ?? '') === (stored.settings[name] ?? ''));
  return isSameAddress ? openSettings(box, stored) : null;
}

/** Opens the vendor with decrypted settings. Throws a `ConnectorError` for impossible settings. */
export function openVendor<Port extends Testable>(
  services: Omit<ConnectionServices, 'connectors'>,
  manifest: Manifest<Port>,
  settings: Settings,
): Port {
  return manifest.open(settings, {
    now: services.now,
    allowPrivateAddresses: services.allowPrivateAddresses,
    log: (level, message, details) => services.log[level]({ kind: manifest.kind, ...details }, message),
  });
}
