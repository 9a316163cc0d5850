import { EngineError } from '../../model/engine-error.ts';
import { type ItemVersion, isSetting } from '../../model/items.ts';
import type { FoundSetting, NewSetting, SettingsTarget } from '../../source/settings-target.ts';
import type { Written } from '../../source/target.ts';
import type { FoundInPlace, RestoreItem, RestorePlace } from '../restore-place.ts';
import type { SkipReason } from '../skip-reasons.ts';

const PLACE = 'settings';

/**
 * A mailbox as a place with settings: items go where they always go, and settings among those of the mailbox. They are left out where the items
 * go into a folder or into another mailbox: rules name folders by ids, and how others work is their own.
 */
export class PlaceWithSettings implements RestorePlace {
  readonly replacesByCreating: true | undefined;
  private readonly items: RestorePlace;
  private readonly settings: SettingsTarget | null;
  private readonly signal: AbortSignal;

  /** @param settings `null`: they are left out */
  constructor(items: RestorePlace, settings: SettingsTarget | null, signal: AbortSignal) {
    this.items = items;
    this.settings = settings;
    this.signal = signal;
    this.replacesByCreating = items.replacesByCreating;
  }

  leavesOut({ kind }: ItemVersion): SkipReason | null {
    return this.settings === null && isSetting(kind) ? 'elsewhere' : null;
  }

  async container(container: ItemVersion, make: boolean): Promise<string | null> {
    return container.kind === 'settings' ? PLACE : this.items.container(container, make);
  }

  async parentOf(item: ItemVersion, make: boolean): Promise<string | null> {
    return isSetting(item.kind) ? PLACE : this.items.parentOf(item, make);
  }

  isNew(containerId: string): boolean {
    return containerId !== PLACE && this.items.isNew(containerId);
  }

  async find(parent: string, item: RestoreItem): Promise<FoundInPlace[]> {
    const setting = settingOf(item);
    return setting === null ? this.items.find(parent, item) : this.findSetting(setting);
  }

  async isUnchanged(found: FoundInPlace, parent: string, item: RestoreItem): Promise<boolean> {
    return (await this.items.isUnchanged?.(found, parent, item)) ?? false;
  }

  identityOf(item: RestoreItem): string {
    return settingOf(item) === null ? this.items.identityOf(item) : `${item.version.kind} ${item.version.name}`;
  }

  async create(parent: string, item: RestoreItem, as: 'itself' | 'copy'): Promise<Written> {
    const setting = settingOf(item);
    return setting === null ? this.items.create(parent, item, as) : this.target().create(setting, this.signal);
  }

  async replace(found: FoundInPlace, parent: string, item: RestoreItem): Promise<Written> {
    const setting = settingOf(item);
    if (setting === null) return this.items.replace(found, parent, item);
    return this.target().replace(found.id, setting, this.signal);
  }

  /** A setting is written by one request: nothing of it is left half-written. */
  async remove(found: FoundInPlace, parent: string, item: RestoreItem): Promise<void> {
    if (settingOf(item) === null) await this.items.remove(found, parent, item);
  }

  async isMade(found: FoundInPlace, parent: string, item: RestoreItem): Promise<boolean> {
    const setting = settingOf(item);
    if (setting === null) return (await this.items.isMade?.(found, parent, item)) ?? false;
    return (await this.findSetting(setting)).some(({ id, isUnchanged }) => id === found.id && isUnchanged);
  }

  private findSetting(setting: NewSetting): Promise<FoundSetting[]> {
    return this.target().find(setting, this.signal);
  }

  private target(): SettingsTarget {
    if (this.settings !== null) return this.settings;
    throw new EngineError('bad-request', 'Settings go back into their own mailbox alone.');
  }
}

function settingOf({ version: { kind, name }, properties }: RestoreItem): NewSetting | null {
  return isSetting(kind) ? { kind, name, properties } : null;
}
