import type { SettingKind } from '../model/items.ts';
import type { FoundItem, Written } from './target.ts';

/** One of the things that a person has set up in a mailbox, as it was stored. */
export interface NewSetting {
  kind: SettingKind;
  name: string;
  properties: Readonly<Record<string, unknown>>;
}

export interface FoundSetting extends FoundItem {
  isUnchanged: boolean;
}

/** The settings of one mailbox, which go back into that mailbox alone. */
export interface SettingsTarget {
  /** What is there of it: of rules and categories by their name, of calendar permissions by whom they are for. */
  find(setting: NewSetting, signal: AbortSignal): Promise<FoundSetting[]>;
  /** @throws EngineError `source-refused` where there can be one alone */
  create(setting: NewSetting, signal: AbortSignal): Promise<Written>;
  replace(id: string, setting: NewSetting, signal: AbortSignal): Promise<Written>;
}
