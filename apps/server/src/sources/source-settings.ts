import type { BackupSource } from '@keepwatch/connectors/ports/backup-source';
import type { BackupSourceManifest, SettingField } from '@keepwatch/connectors/ports/manifest';
import { type FieldError, invalid } from '../foundation/errors.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import type { SourceServices } from './source-services.ts';

export type SourceSettings = Readonly<Record<string, string>>;

/** Settings as stored: the public ones, and the secrets, sealed for their row. */
export interface StoredSettings {
  settings: SourceSettings;
  secrets: Buffer | null;
}

/** Binds a source's secrets to its row, so that they cannot be opened in another one. */
function contextOf(providerId: number, sourceId: string): string {
  return `source/${providerId}/${sourceId}`;
}

export function sealSettings(
  box: SecretBox,
  source: { providerId: number; id: string },
  fields: readonly SettingField[],
  given: SourceSettings,
): StoredSettings {
  const isSecret = (name: string) => fields.some((field) => field.name === name && field.kind === 'secret');
  const pick = (requested: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => isSecret(name) === requested));
  const sealed = box.seal(JSON.stringify(pick(true)), contextOf(source.providerId, source.id));
  return { settings: pick(false), secrets: sealed };
}

/** Checks whether a stored source's secrets were sealed with this key. Without secrets any key fits. */
export function canOpenSettings(
  box: SecretBox,
  source: { providerId: number; id: string; secrets: Buffer | null },
): boolean {
  try {
    openSettings(box, { ...source, settings: {} });
    return true;
  } catch {
    return false;
  }
}

/** Returns all settings of a stored source with decrypted secrets. For the connector, never for a reply. */
export function openSettings(
  box: SecretBox,
  source: { providerId: number; id: string } & StoredSettings,
): Record<string, string> {
  if (source.secrets === null) return { ...source.settings };
  const secrets: Record<string, string> = JSON.parse(box.open(source.secrets, contextOf(source.providerId, source.id)));
  return { ...source.settings, ...secrets };
}

/**
 * Completes the given settings with the stored secrets. Throws 422 for a setting that the kind of source does not have and for a
 * missing required one.
 */
export function completeSettings(
  fields: readonly SettingField[],
  given: SourceSettings,
  stored: SourceSettings | null,
): Record<string, string> {
  const errors: FieldError[] = [];
  for (const name of Object.keys(given))
    if (!fields.some((field) => field.name === name))
      errors.push({ path: `body.settings.${name}`, message: 'is no setting of this kind of source' });
  const complete: Record<string, string> = {};
  for (const field of fields) {
    const value = given[field.name] ?? '';
    complete[field.name] = value === '' && field.kind === 'secret' ? (stored?.[field.name] ?? '') : value;
    if (field.isRequired && complete[field.name] === '')
      errors.push({ path: `body.settings.${field.name}`, message: `${field.label} is required.` });
  }
  if (errors.length > 0) throw invalid(errors);
  return complete;
}

/** Opens a source with decrypted settings. Throws a `SourceError` for impossible settings. */
export function openSource(
  services: SourceServices,
  manifest: BackupSourceManifest,
  settings: SourceSettings,
): BackupSource {
  return manifest.open(settings, {
    now: services.now,
    allowPrivateAddresses: services.allowPrivateAddresses,
    log: (level, message, details) => services.log[level]({ kind: manifest.kind, ...details }, message),
  });
}
