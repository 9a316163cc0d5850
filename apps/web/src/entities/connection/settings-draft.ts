import type { SettingField } from '@keepwatch/contract/connections/connections';

/** Settings as typed or stored, by field. A secret that is not entered again is empty. */
export type Settings = Readonly<Record<string, string>>;

/** A kind of connection, as far as its settings form is concerned. */
interface Kind {
  settings: readonly SettingField[];
}

/** Whether the server stores a field encrypted and never shows it again. */
export function isSealed({ kind }: SettingField): boolean {
  return kind === 'secret' || kind === 'file';
}

/** What the fields show at first: those of a connection (`null`: a new one). Secrets never come back from the server. */
export function initialSettings({ settings }: Kind, stored: Settings | null): Record<string, string> {
  return Object.fromEntries(settings.map((field) => [field.name, stored?.[field.name] || unset(field)]));
}

/** A box that is not ticked says no. */
function unset({ kind }: SettingField): string {
  return kind === 'flag' ? 'false' : '';
}

/** Returns the settings to send. Empty ones are omitted for a new connection; an omitted secret stays as it is. */
export function settingsToSend({ settings }: Kind, typed: Settings, stored: Settings | null): Record<string, string> {
  const given = settings.flatMap((field) => {
    const value = typed[field.name] ?? '';
    return value === '' && (stored === null || isSealed(field)) ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(given);
}

/** The names of the fields in the form that are never shown again. */
export function sealedFields({ settings }: Kind): string[] {
  return settings.filter(isSealed).map(({ name }) => `settings.${name}`);
}

/**
 * Reports whether the stored secrets still apply. The server stores them for one address only, so that a changed
 * address never sends them to another machine.
 */
export function keepsSecrets({ settings }: Kind, typed: Settings, stored: Settings | null): boolean {
  if (stored === null) return false;
  const addresses = settings.filter((field) => field.kind === 'url');
  return addresses.every(({ name }) => (typed[name] ?? '') === (stored[name] ?? ''));
}

/** Returns the required settings that are missing; the form cannot be tested before. A stored secret is not missing. */
export function missingSettings(kind: Kind, typed: Settings, stored: Settings | null): SettingField[] {
  const areStored = keepsSecrets(kind, typed, stored);
  return kind.settings.filter((field) => {
    const value = typed[field.name] ?? '';
    const isStored = isSealed(field) && areStored && value === '';
    return field.isRequired && !isStored && value.trim() === '';
  });
}
