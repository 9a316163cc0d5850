import { initialSettings, settingsToSend } from '../entities/connection/settings-draft.ts';
import type { Source, SourceDraft, SourceKind } from './sources.data.ts';

/** The settings form while it is being filled in; all values as typed. */
export interface SourceForm {
  name: string;
  syncIntervalMinutes: string;
  /** By field. A secret that is not typed again is empty. */
  settings: Record<string, string>;
}

const INTERVAL_DEFAULT_MINUTES = 5;

/** The form for a new console, or with what is known of a connected one. */
export function formOf(kind: SourceKind, source: Source | null): SourceForm {
  return {
    name: source?.name ?? '',
    syncIntervalMinutes: String(source?.syncIntervalMinutes ?? INTERVAL_DEFAULT_MINUTES),
    settings: initialSettings(kind, source?.settings ?? null),
  };
}

export function draftOf(form: SourceForm, kind: SourceKind, source: Source | null): SourceDraft {
  return {
    name: form.name.trim(),
    syncIntervalMinutes: Number(form.syncIntervalMinutes),
    isEnabled: source?.isEnabled ?? true,
    settings: settingsToSend(kind, form.settings, source?.settings ?? null),
  };
}
