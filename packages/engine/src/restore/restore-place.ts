import type { ItemVersion } from '../model/items.ts';
import type { FoundItem, TargetContent, Written } from '../source/target.ts';
import type { SkipReason } from './decision.ts';

/** An item with what is written of it. */
export interface RestoreItem {
  version: ItemVersion;
  /** The content `properties`, parsed, with what the options ask for. */
  properties: Readonly<Record<string, unknown>>;
  /** The other contents; each may be opened more than once. */
  contents: readonly TargetContent[];
  /** Whether the properties are others than those that were stored: a content with all of them would bring the old ones. */
  isChanged: boolean;
}

export interface FoundInPlace extends FoundItem {
  /** Whether it is what was stored, where the target says so without a further query; else see `RestorePlace.isUnchanged`. */
  isUnchanged?: boolean;
  /** A copy beside the item, made by a restore: it matches no item. */
  isCopy?: boolean;
}

/**
 * Where the items of one object go: a mailbox, a drive, a site, a team. It knows how the containers of the repository map to those of the
 * target, and changes nothing but by `make`, `create`, `replace` and `remove`.
 */
export interface RestorePlace {
  /** Whether `replace` may write another item before the one that is there goes: then both are there when it is killed between. */
  readonly replacesByCreating?: true | undefined;
  /** The id of a container at the target; with `make` it is made when it is not there, else that is `null`. */
  container(container: ItemVersion, make: boolean): Promise<string | null>;
  /** The id of the container an item goes into, as above. */
  parentOf(item: ItemVersion, make: boolean): Promise<string | null>;
  /** Whether this place made the container just now: nothing can be in it but what was put there since. */
  isNew(containerId: string): boolean;
  /** Gives a new container the settings it had besides its items, such as its sharing. @returns what could not be given */
  applyContainerSettings?(containerId: string, properties: RestoreItem['properties']): Promise<readonly string[]>;
  /** What at the target is that item, whatever became of it since. */
  find(parent: string, item: RestoreItem): Promise<FoundInPlace[]>;
  /**
   * Whether what was found is what was stored, as far as it can be written: a look at the item, for where `find` does not say so. A place whose
   * `find` always says so has none.
   */
  isUnchanged?(found: FoundInPlace, parent: string, item: RestoreItem): Promise<boolean>;
  /** Why an item is none for this place, and is left out; `null` for one that is. A place without it takes all. */
  leavesOut?(item: ItemVersion): SkipReason | null;
  /** Items that may find each other have equal keys. */
  identityOf(item: RestoreItem): string;
  /**
   * @param as `copy`: another of that name is there, and stays
   * @throws NameInUseError when one of that name was made since
   */
  create(parent: string, item: RestoreItem, as: 'itself' | 'copy'): Promise<Written>;
  replace(found: FoundInPlace, parent: string, item: RestoreItem): Promise<Written>;
  /**
   * Whether what an interrupted restore left is the item with all of it, and is to stay: the removal of a meeting with guests would be mailed to them. A place
   * where that cannot be has none.
   */
  isMade?(found: FoundInPlace, parent: string, item: RestoreItem): Promise<boolean>;
  /** Takes away what an interrupted restore had begun to write, and nothing that could be the work of others. */
  remove(found: FoundInPlace, parent: string, item: RestoreItem): Promise<void>;
  /** Ends what only a whole restore may end. One that was stopped goes on instead. */
  complete?(): Promise<void>;
  /** Says what users cannot do until a stopped restore goes on; `null`: nothing. */
  untilContinued?(): string | null;
}
