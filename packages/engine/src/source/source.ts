import type { OnEvent } from '../model/engine-event.ts';
import type { ContentName, Item, ItemKind, StoredItem } from '../model/items.ts';
import type { Alert, LostItem, SkipCause } from '../model/outcome.ts';
import type { ObjectKind, ProtectedObject } from '../model/protected-object.ts';

/** Which objects a job covers. */
export interface Selection {
  /** All of the organization, or the selected ones. */
  scope: 'everything' | 'selected';
  kinds: readonly ObjectKind[];
  /** With `selected`: ids or addresses of users, groups, sites and teams. A group selects its members and its conversations. */
  include: readonly SelectedItem[];
  exclude: readonly SelectedItem[];
  /** Whether personal sites count among the sites. */
  personalSites: boolean;
}

export interface SelectedItem {
  /** `all`: everything of one list of the organization, which the id names (`ALL_LISTS`); only to include. */
  type: 'user' | 'group' | 'site' | 'team' | 'all';
  id: string;
  /** Parts of it that are meant; without: all that the selection's kinds allow. */
  kinds?: readonly ObjectKind[];
}

/** The lists of an organization: its persons, its groups and teams, its sites without those of persons, and these. */
export const ALL_LISTS = ['users', 'groups', 'sites', 'personal-sites'] as const;

/** What a listing says besides objects: an alert, or what it could not list. */
export interface ListingNote extends Alert {
  /** Could not be listed, so that it is not read: the objects of one subject (`user/<id>`), or a list of subjects such as all sites (`null`). */
  unlisted?: { subject: string | null; name: string };
  /** An object that is asked for and may be there: the source does not say. It is not read. */
  unknown?: ProtectedObject;
}

/** What a selected or excluded item is, whether or not there is an object of it: a site with all below it, a group with its members. */
export interface FoundSubject {
  item: SelectedItem;
  /** `user/<id>`, in lower case. */
  subject: string;
  /** The URL of a site, the address of a person or group. */
  address: string | null;
}

/**
 * Where items come from: Microsoft 365 through Graph, or a source made for tests. Every implementation passes
 * `suites/source-suite.ts`. Limits belong to the connection that a source holds, so two sources of one tenant share them.
 */
export interface Source {
  readonly organizationId: string;

  /**
   * The objects that a selection covers, each once, in a stable order. A selected object that is gone is an alert. What one subject refuses
   * stops that subject alone, and is a note with `unlisted`.
   * @param onFound called with what each selected or excluded item is; not for those that are gone or refused
   * @throws what concerns all that would follow
   */
  listObjects(
    selection: Selection,
    signal: AbortSignal,
    onFound?: (found: FoundSubject) => void,
  ): AsyncIterable<ProtectedObject | ListingNote>;

  /**
   * What changed in an object since its cursors; without cursors all that is in it. Events come in an order that can be replayed:
   *
   * - A container comes before what it contains.
   * - A `cursor` comes after every event it covers. A reader that stores the events up to a cursor, and later reads on from it,
   *   misses nothing; it may get some items again.
   * - Between `scan-begin` and `scan-end` of a scope all its items are listed: an item that is not listed is gone. So a source that lost
   *   its place (an expired delta token) starts over without naming what was removed meanwhile. A scan that goes on from a
   *   cursor in a later run begins with `scan-begin` and `resumed: true`; what was listed before the break then counts too.
   * - One item that cannot be read is `lost` and the rest goes on; so does it after a container whose reading ended before its end,
   *   which is reported as a `failure` and goes on from its cursor in the next run. What concerns the whole object is thrown as an
   *   `EngineError` (`endsTheObject`).
   *
   * Contents are opened by the reader of the events, some at a time, and may fail then: the reader takes the item for lost, and
   * with `not-found` for gone, which is said only of an item that is gone itself.
   */
  read(request: ReadRequest): AsyncIterable<SourceEvent>;

  /** How many objects a listing comes to; `null`, or without it: not known, or not yet. */
  readonly total?: number | null;

  /** How far the clock of this machine is ahead of the source's, as its last answer showed it; `null`: none did yet. Without it the difference is unknown. */
  skewMs?(): number | null;

  /** Asks the source for something small where no answer showed its clock yet. @throws what the source refuses */
  askTime?(signal: AbortSignal): Promise<void>;

  /** The same source for one piece of work, which alone hears of its long waits. Without it the source has none. */
  reportingTo?(onEvent: OnEvent): Source;

  close(): Promise<void>;
}

export interface ReadRequest {
  object: ProtectedObject;
  /** Id of the job that reads: what another job with other options stores of the object stays its own. */
  job?: string;
  /** By scope, as given in earlier `cursor` events. */
  cursors: ReadonlyMap<string, string>;
  /** Items that earlier runs could not read, or of which the repository lost what they had read: they are read, whatever the cursors are. */
  lost: readonly LostItem[];
  /** The items as they are stored now; unknown ones, and lost ones, are left out. At most 1,000 ids a call. */
  current(ids: readonly string[]): Promise<ReadonlyMap<string, StoredItem>>;
  signal: AbortSignal;
}

export type SourceEvent =
  | { type: 'item'; item: Item; contents: readonly SourceContent[] }
  /** Gone; with `fromParentId` only if it is still held by that container, since a move shows as removal there and item here. */
  | { type: 'removed'; id: string; fromParentId?: string }
  | { type: 'scan-begin'; scan: Scan; resumed: boolean }
  | { type: 'scan-end'; scan: Scan }
  | { type: 'cursor'; scope: string; value: string | null }
  | { type: 'lost'; item: LostItem }
  /** A part of the object that was not read to its end; for a person, with what it is a part of. */
  | { type: 'failure'; message: string }
  | { type: 'skipped'; id: string; name: string; cause: SkipCause }
  | { type: 'alert'; alert: Alert };

/** The items that a scan lists completely: those of some kinds, in one container or (`undefined`) in the whole object. */
export interface Scan {
  scope: string;
  kinds: readonly ItemKind[];
  parentId?: string | null;
  /** Items of these kinds that it does not cover, by their ids: another part of the object lists them. */
  except?: readonly string[];
}

export type SourceContent =
  /** Small, and already here. */
  | { name: ContentName; bytes: Buffer }
  /** Read on request; `sizeBytes` is `null` where the source does not say. Trying again after a break is the source's work. */
  | {
      name: ContentName;
      sizeBytes: number | null;
      open(signal: AbortSignal): AsyncIterable<Uint8Array>;
      /** Asked when it was read: what a person should know of these bytes. */
      alerts?(): readonly Alert[];
    }
  /** As it is stored with the current version: not read again. */
  | { name: ContentName; keep: true };
