import type { SettingField, Source, SourceDraft, SourceKind } from './sources.data.ts';

/** The settings form while it is being filled in; all values as typed. */
export interface SourceForm {
  name: string;
  syncIntervalMinutes: string;
  /** By field. A secret that is not typed again is empty. */
  settings: Record<string, string>;
}

const INTERVAL_DEFAULT_MINUTES = 5;

/** The form for a new console, or with what is known of a connected one. Secrets never come back from the server. */
export function formOf(kind: SourceKind, source: Source | null): SourceForm {
  return {
    name: source?.name ?? '',
    syncIntervalMinutes: String(source?.syncIntervalMinutes ?? INTERVAL_DEFAULT_MINUTES),
    settings: Object.fromEntries(kind.settings.map(({ name }) => [name, source?.settings[name] ?? ''])),
  };
}

/** Returns the settings to send. Empty ones are omitted for a new console; an omitted secret stays as it is. */
export function settingsOf(form: SourceForm, kind: SourceKind, source: Source | null): Record<string, string> {
  const given = kind.settings.flatMap(({ name, kind: fieldKind }) => {
    const value = form.settings[name] ?? '';
    return value === '' && (source === null || fieldKind === 'secret') ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** The names of the fields that are never shown again. */
export function secretsOf(kind: SourceKind): string[] {
  return kind.settings.filter((field) => field.kind === 'secret').map(({ name }) => `settings.${name}`);
}

export function draftOf(form: SourceForm, kind: SourceKind, source: Source | null): SourceDraft {
  return {
    name: form.name.trim(),
    syncIntervalMinutes: Number(form.syncIntervalMinutes),
    isEnabled: source?.isEnabled ?? true,
    settings: settingsOf(form, kind, source),
  };
}

/**
 * Reports whether the stored secrets still apply. The server stores them for one address only, so that a changed
 * address never sends them to another machine.
 */
export function keepsSecrets(form: SourceForm, kind: SourceKind, source: Source | null): boolean {
  if (source === null) return false;
  const addresses = kind.settings.filter((field) => field.kind === 'url');
  return addresses.every(({ name }) => (form.settings[name] ?? '') === (source.settings[name] ?? ''));
}

/** Returns the required settings that are missing; the form cannot be tested before. A stored secret is not missing. */
export function missingSettings(form: SourceForm, kind: SourceKind, source: Source | null): SettingField[] {
  const areStored = keepsSecrets(form, kind, source);
  return kind.settings.filter(({ name, isRequired, kind: fieldKind }) => {
    const isStored = fieldKind === 'secret' && areStored && (form.settings[name] ?? '') === '';
    return isRequired && !isStored && (form.settings[name] ?? '').trim() === '';
  });
}
