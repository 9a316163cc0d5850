import type { Expiry } from '../model/expiry.ts';
import type { Item, ItemKind, ItemVersion, Segment, StoredContent, StoredItem } from '../model/items.ts';
import type { LostItem, ObjectFlag } from '../model/outcome.ts';
import type { ObjectKind, ProtectedObject } from '../model/protected-object.ts';
import type { ChunkIndex } from '../repository/chunk-index.ts';
import type { Commit, KnownCommit, RunEnd, RunHeader, StoredPack } from '../repository/commit.ts';

/**
 * What is where: restore points, item versions, cursors, chunks. Everything in it comes from commits, so it can be rebuilt from
 * the repository alone. Every implementation passes `suites/catalog.suite.ts`.
 *
 * A catalog serves any number of repositories; what is asked of one never shows another's.
 */
export interface Catalog<Part extends RepositoryCatalog = RepositoryCatalog> {
  /** @param waits of one piece of work with the repository; without: those that the catalog was opened with */
  repository(id: string, waits?: CatalogWaits): Promise<Part>;
  close(): Promise<void>;
}

/** A wait for other programs that work in the same catalog. */
export interface CatalogWait {
  /** What has to end: passes over all of the catalog, as verify and prune make them; commits that are being applied; the exchange of the catalog by a rebuild. */
  until: 'passes' | 'commits' | 'exchange';
  /** Programs with machine and process, as far as the database knows. */
  holders: readonly string[];
}

export interface CatalogWaits {
  /** Called once for each wait that takes longer than a moment. */
  onWait?: (wait: CatalogWait) => void;
  /** When aborted, waits and long queries end and fail with the signal's reason. Commits alone continue to wait: they are in the repository by then. */
  signal?: AbortSignal;
}

export interface ApplyOptions {
  isOverGaps?: boolean;
  /** That all runs come in the order of their names, as in a catalog that is made from nothing: no run is heard of too late. */
  isInOrder?: boolean;
  signal?: AbortSignal;
}

export interface RepositoryCatalog extends ChunkIndex {
  /** The same for a piece of work, which hears of its own waits for others in the catalog, and ends them. */
  withWaits(waits: CatalogWaits): RepositoryCatalog;

  /**
   * Applies a commit in one transaction. One that was applied before changes nothing. Commits of one run come in the order of their
   * sequences; sections of one object in the order of its revisions.
   *
   * A revision that another commit has brought already is stored as the object's next one, so that both stay available: the end
   * of its run then names that one. The cursors of the object match neither state, so they are dropped: the next backup reads all of it.
   * @returns revisions that were doubled
   * @throws `damaged` when a revision is missing, or a commit of the run. With `isOverGaps` what is missing is passed over, as are the cursors of
   *   the objects: for callers that know of the gap and have no copy of the journals. The reason of a `signal` that is aborted before all of it is
   *   applied: for callers that did not write the commit, and only want to read
   */
  apply(commit: Commit, options?: ApplyOptions): Promise<DoubledRevision[]>;
  /**
   * Applies commits that say nothing of what others brought, as applying one after the other would, in one transaction. For a catalog that is
   * being made (`successor`): nothing in it may be indexed for the search, and every revision is the next one of its object.
   */
  applyMany(commits: readonly Commit[], options?: Pick<ApplyOptions, 'signal'>): Promise<void>;
  /** The last sequence applied of each run that is neither ended nor closed. */
  openRuns(): Promise<ReadonlyMap<string, number>>;
  /** The last sequence applied of each run that is known; with runs, of those among them that are. */
  lastCommits(runs?: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The last commits of runs that no other run names among those it follows: what the next run has to name. At most 1,000. */
  unfollowed(): Promise<KnownCommit[]>;
  /**
   * The last sequence applied of each known run whose id comes after one and, unless that is `null`, not after another; in the order of
   * their ids, and no more than `limit`.
   */
  commitsBetween(after: string, to: string | null, limit?: number): Promise<ReadonlyMap<string, number>>;
  /** The same of runs that are in no segment. */
  looseBetween(after: string, to: string | null): Promise<ReadonlyMap<string, number>>;
  /** Names of segments of the store of which all commits were applied; not from commits. */
  segments(): Promise<ReadonlySet<string>>;
  /**
   * Notes that a segment has runs, with the sequence of the last commit it has of each.
   * @returns `false` where not all of them were applied yet: then nothing is noted
   */
  addSegment(name: string, runs: ReadonlyMap<string, number>): Promise<boolean>;
  /** Forgets segments that the store does not have any more. */
  dropSegments(names: readonly string[]): Promise<void>;
  /** The segments of those among some runs that are in one. */
  segmentsOf(runs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those of some runs that have ended of themselves and are in no segment, with their last commit; and how many of all began more than a day ago. */
  unsegmented(runs: readonly string[]): Promise<ReadonlyMap<string, number>>;
  countUnsegmented(): Promise<number>;
  /** The generation of the repository that the catalog is of; empty for the first. */
  generation(): Promise<string>;
  setGeneration(generation: string): Promise<void>;
  /** Whether a doubled revision was applied after that of a later run: a catalog that is made again has them in their order. */
  isOutOfOrder(): Promise<boolean>;
  /** When the locks of what is in the store were looked at last; not from commits. */
  locksReviewedAt(): Promise<Date | null>;
  setLocksReviewedAt(at: Date): Promise<void>;
  /**
   * A catalog that is made beside this one, and is empty at first; what an earlier attempt left is gone.
   * @throws `locked` while another program makes one
   */
  successor(): Promise<SuccessorCatalog>;

  // Objects
  object(key: string): Promise<CatalogObject | null>;
  /** The last revision of an object, 0 without one. One that was erased is no object, and goes on counting. */
  revisionOf(key: string): Promise<number>;
  listObjects(): AsyncIterable<CatalogObject>;
  /** A page of objects by their names, for people: without cursors and lost items, of which a large object has many. */
  findObjects(query: ObjectQuery): Promise<Page<ListedObject>>;
  /** The current versions of items, by id. */
  current(object: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredItem>>;
  /**
   * Ids of current items of some kinds, in one container or (`undefined`) in the whole object, with their parents' ids. All of them, and some twice,
   * also when a rebuild exchanges the catalog meanwhile.
   */
  currentIds(
    object: string,
    kinds: readonly ItemKind[],
    parentId?: string | null,
  ): AsyncIterable<{ id: string; parentId: string | null }>;

  // What is in it, in numbers
  /**
   * What is stored now, of the repository or of one organization in it. Reads the sizes of all current items: some seconds for ten million.
   * @throws the reason of the signal
   */
  usage(organizationId?: string, signal?: AbortSignal): Promise<Usage>;
  /** The bytes of the current items of some objects, by their keys: those that are not there are not among them. @throws the reason of the signal */
  objectBytes(keys: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** What the backups of a time brought, day by day in UTC; days without one are not among them. */
  growth(filter: GrowthFilter): Promise<GrowthDay[]>;

  // Restore points: backups that ended, complete or not, and have objects
  listRestorePoints(filter: RestorePointFilter): Promise<ListedRestorePoint[]>;
  restorePoint(run: string): Promise<RestorePoint | null>;
  /**
   * Why an object is not whole at a revision; `null`: it is, as far as is known.
   * @param restorePoint the one that was chosen, where several have that revision; without: the one that read it last
   */
  objectFindings(object: string, revision: number, restorePoint?: string): Promise<ObjectFindings | null>;
  /**
   * The expiry, moved back to the earliest start of the runs whose restore points stay: a long run shows objects as they were when it read
   * them, which another run may have changed before it ended.
   */
  startOfRetained(expiry: Expiry): Promise<Expiry>;
  /** The jobs with restore points: how many, when the oldest and the newest ended, and for how many days they stay, as the newest of its runs says that says it. */
  listJobs(): Promise<CatalogJob[]>;
  /** The objects of a restore point with their revisions, in the order of their names. */
  restorePointObjects(run: string): Promise<{ object: CatalogObject; revision: number }[]>;

  // Browsing: all at one revision of an object
  browse(query: BrowseQuery): Promise<Page<ItemVersion>>;
  item(object: string, revision: number, id: string): Promise<ItemVersion | null>;
  /** Other items of an item's kind and name in its container at a revision: 100 of them at most. */
  namesakes(object: string, revision: number, item: Item): Promise<ItemVersion[]>;
  /** All versions of an item, newest first. */
  versionsOf(object: string, id: string): Promise<ItemVersion[]>;
  /** What differs between two revisions of an object. A page can be short, even empty, and have a next one. @throws the reason of the signal */
  changes(query: ChangesQuery, signal?: AbortSignal): Promise<Page<ItemChange>>;
  /**
   * Names what an object has of some kinds at a revision, without where its bytes are: two repositories name the same object alike where it
   * has the same items. Reads all of them: some seconds for a million.
   * @throws the reason of the signal
   */
  digest(object: string, revision: number, kinds: readonly ItemKind[], signal?: AbortSignal): Promise<ObjectDigest>;
  /**
   * An item and all below it, or (`null`) all of the object; containers before what they hold. Streams; holds no connection between pages.
   * @throws `not-found` at the beginning, or at the end, when a prune or a rebuild has deleted it: what was returned is not all
   */
  walk(
    object: string,
    revision: number,
    from: string | null,
    options?: { showDeleted?: boolean },
  ): AsyncIterable<ItemVersion>;
  /** Count and bytes of items with all below them, each once, or (`null`) of all of the object. */
  weigh(object: string, revision: number, items: readonly string[] | null): Promise<{ items: number; bytes: number }>;

  // Restores
  /**
   * Keeps other restores out of a target, those from other repositories too, until it is given back or this program ends, however that ends.
   * @param target its kind, organization and id in one @param name what people call it
   * @throws `locked` while another restore writes into it
   */
  claimTarget(target: string, name: string): Promise<TargetClaim>;

  // Search
  /** @throws the reason of the signal; the database works on the search no longer then */
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage>;
  /**
   * Versions whose words are not indexed yet, oldest first. One with the same names, people and text as the version before it is found by
   * that one's words.
   */
  unindexed(limit: number): Promise<{ object: string; version: ItemVersion }[]>;
  index(words: readonly { object: string; item: string; firstRevision: number; text: string }[]): Promise<void>;
  countUnindexed(): Promise<number>;
  /** Merges what was indexed last into the index. Until then each search reads it from a list. */
  mergeIndex(): Promise<void>;

  // Verify and prune
  listPacks(): AsyncIterable<StoredPack>;
  /** The packs in use that became known last, the last one first; without those in which nothing can be read. */
  newestPacks(limit: number): Promise<NewestPack[]>;
  /** Notes that all packs up to one, in the order in which they became known, were compared with the store; not from commits. */
  setPacksCompared(to: string): Promise<void>;
  /** Those of the given packs that journals speak of, and whether each was retired. */
  knownPacks(names: readonly string[]): Promise<ReadonlyMap<string, { isRetired: boolean }>>;
  /** Chunks that the last verify of their pack could not read, by the name of the pack. */
  damagedChunks(): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Versions whose contents use any of the chunks, each with its object. A pass over all versions.
   * @throws `bad-request` for a content with `list` when there is no `readList`, here and in `packUsage`
   */
  versionsUsing(chunks: readonly string[], readList?: ReadList): AsyncIterable<ChunkUser>;
  /** Versions whose contents use a chunk that no pack is known to have. A pass over all versions. */
  versionsLackingChunks(readList?: ReadList): AsyncIterable<ChunkUser>;

  // Erasure
  /** How many item versions objects have, and their bytes at the source, by key. Reads the sizes of all of them: some minutes for ten million. */
  countVersions(keys: readonly string[]): Promise<ReadonlyMap<string, VersionCount>>;
  /** All objects that were erased, the latest first. */
  listErasures(): Promise<ErasureRecord[]>;
  /** Packs in use that may have chunks of erased objects. */
  erasedPacks(): Promise<ReadonlySet<string>>;
  /** Whether journals may still say what was erased: no run came to the end that took it out of all of them. */
  isErasureUnfinished(): Promise<boolean>;

  /**
   * What an expiry at this instant would remove, without removing it. Every object stays in its newest restore point, whatever its age,
   * with all it shows.
   */
  expirable(expiry: Date | Expiry): Promise<{ versions: number; bytes: number; restorePoints: number }>;
  /**
   * For every pack how many of its bytes are used by versions that stay when what ended before the instant is gone. A chunk that is
   * in several packs counts in the newest of them alone in which it can be read: what a prune copied counts where it is now. A pass over
   * all versions.
   */
  packUsage(
    expiry: Date | Expiry,
    readList?: ReadList,
  ): AsyncIterable<{ pack: StoredPack; usedBytes: number; usedChunks: readonly string[] }>;
}

export interface NewestPack {
  name: string;
  /** Whether it was compared with the store since it became known. */
  isCompared: boolean;
}

/** A job with restore points. Its id is unique in its organization alone. */
export interface CatalogJob {
  organizationId: string;
  job: string;
  /** For how many days its restore points stay; `null`: as long as others do. */
  keepDays: number | null;
  restorePoints: number;
  /** The ends of its oldest and its newest restore point. */
  oldest: Date;
  newest: Date;
}

/** A version of an item, and those of the chunks asked for that it needs. */
export interface ChunkUser {
  object: CatalogObject;
  version: ItemVersion;
  chunks: readonly string[];
}

/** That an object was erased: the record for the audit. */
export interface ErasureRecord {
  key: string;
  revision: number;
  kind: ObjectKind;
  /** The run that erased it. */
  run: string;
  at: Date;
  by: string;
  reason: string;
  items: number;
  bytes: number;
}

export interface VersionCount {
  items: number;
  bytes: number;
}

/** A catalog that is to replace another one: until it does, no reader sees anything of it. */
export interface SuccessorCatalog {
  catalog: RepositoryCatalog;
  /**
   * Replaces the earlier catalog at once: from then on its readers get the contents of this one. Words must be indexed again.
   * @param bringLast applies here what was committed meanwhile. Nothing is applied to the earlier catalog from its beginning on: what
   *   was stored before is in a journal by then, and what comes later comes to this one
   */
  replace(bringLast: () => Promise<void>): Promise<void>;
  /** Forgets all of it, and leaves the earlier catalog as it is. */
  drop(): Promise<void>;
  /** To be called when it is over, however it ended: until then no other program makes one. Never fails. */
  end(): Promise<void>;
}

/** That one restore alone writes into a target. */
export interface TargetClaim {
  /** Aborted when others may come in although it was not given back (and not by `end`), with an `EngineError` that says why. */
  readonly lost: AbortSignal;
  /** To be called when the restore is over, however it ended. */
  end(): void;
}

/** A revision of an object that two commits have brought. */
export interface DoubledRevision {
  object: string;
  objectName: string;
  run: string;
  /** The revision that the second commit names, and the one under which it is stored. */
  revision: number;
  storedAs: number;
}

/** Reads the segments of a content with `list`, which are only in the repository. */
export type ReadList = (content: StoredContent) => Promise<readonly Segment[]>;

export interface CatalogObject extends ProtectedObject {
  key: string;
  revision: number;
  cursors: ReadonlyMap<string, string>;
  lost: readonly LostItem[];
}

/** Which objects, and which page of them. */
export interface ObjectQuery {
  organizationId?: string | undefined;
  kinds?: readonly ObjectKind[] | undefined;
  /** To whom they belong, as `ProtectedObject` has it. */
  owners?: readonly string[] | undefined;
  keys?: readonly string[] | undefined;
  /** Which addresses they have, in any case, with or without a slash at the end. */
  addresses?: readonly string[] | undefined;
  /** Directly below which addresses theirs are: the same without what is behind the last slash. */
  below?: readonly string[] | undefined;
  /**
   * Objects of restore points, with their revisions there: of an object that several have, that of the first of these. Without: all there
   * ever were, with their last revisions.
   */
  restorePoints?: readonly string[] | undefined;
  /** What must occur in the name or the address, in any case. */
  text?: string | undefined;
  limit: number;
  /** Cursor of the page before. */
  after?: string | undefined;
}

export interface ListedObject extends ProtectedObject {
  key: string;
  revision: number;
  /** The one whose revision it is; `null` where none was asked for. */
  restorePoint: string | null;
  /** Where the list goes on behind it: `after` of the same query. */
  cursor: string;
}

export interface ObjectDigest {
  /** How many were read. */
  items: number;
  digest: string;
}

export interface Usage {
  objects: number;
  /** Current items, and their bytes as a person sees them. */
  items: number;
  bytes: number;
  restorePoints: number;
  oldestRestorePoint: Date | null;
  newestRestorePoint: Date | null;
  /** Bytes in the store. Of the repository alone: organizations in it share what is equal. */
  storedBytes: number | null;
}

export interface GrowthFilter {
  organizationId?: string;
  job?: string;
  from: Date;
  to: Date;
}

export interface GrowthDay {
  /** `2026-11-21`. */
  day: string;
  runs: number;
  itemsRead: number;
  bytesRead: number;
  /** Bytes that the runs of the day added to the store, after deduplication and compression. */
  bytesStored: number;
}

export interface RestorePoint extends RunEnd {
  run: RunHeader;
  /** Whether something of it is missing: any outcome but Success. */
  isPartial: boolean;
}

/** What of an object a backup did not read. */
export interface ObjectFindings {
  /** For people. */
  failures: readonly string[];
  lost: readonly LostItem[];
  /** Whether there may be more than is listed. */
  isCut: boolean;
}

/** A restore point in a list: of its objects and findings only the numbers, since it may have thousands of each. */
export interface ListedRestorePoint
  extends Pick<RestorePoint, 'run' | 'outcome' | 'finishedAt' | 'counts' | 'isPartial'> {
  /** How many of its objects are known not to be whole. */
  incompleteObjects: number;
  /** The state of the object that the list is of; `null` where it is of all. */
  revision: number | null;
  /** Why that object is not known to be whole in it; `null` where it is, and where the list is of all. */
  flag: ObjectFlag | null;
}

export interface RestorePointFilter {
  organizationId?: string;
  job?: string;
  object?: string;
  from?: Date;
  to?: Date;
  limit: number;
  offset: number;
}

export interface BrowseQuery {
  object: string;
  revision: number;
  /** The container to look into; `null`: the top of the object. */
  parentId: string | null;
  kinds?: readonly ItemKind[];
  /** Also what earlier restore points still hold and this revision no longer has (its newest version). */
  showDeleted?: boolean;
  sort: 'name' | '-name' | 'date' | '-date' | 'size' | '-size';
  /** Of a list by date: where it begins, at this instant. */
  from?: Date;
  limit: number;
  /** Either rows to leave out, or the cursor of a page before. A cursor is as fast on the thousandth page as on the first. */
  offset?: number;
  after?: string;
}

/** Two revisions of an object, and what of them is compared. */
export interface ChangesQuery {
  object: string;
  /** The earlier revision, and the later one. */
  from: number;
  to: number;
  /** The container that is compared with all below it; `null`: all of the object. */
  parentId: string | null;
  kinds?: readonly ItemKind[];
  /** Without: all three. */
  what?: readonly ItemChange['what'][];
  limit: number;
  /** Cursor of the page before. */
  after?: string;
}

/** An item that is not the same at two revisions. */
export interface ItemChange {
  what: 'appeared' | 'changed' | 'vanished';
  /** As it is at the later revision, or at the earlier one where it vanished or was moved out of what is compared. */
  version: ItemVersion;
  /** Of what changed: as it is at the other revision. When it ended is not known here. */
  other: ItemVersion | null;
}

export interface Page<Row> {
  rows: Row[];
  /** Cursor of the next page; `null` on the last. */
  next: string | null;
}

export interface SearchQuery {
  organizationId?: string;
  /** Objects to look into; without: all of them. */
  objects?: readonly string[];
  /** Of one object: a container, for what is in it and below it, at the restore point or where it was last. */
  within?: string;
  /** A restore point; without: all of time, the newest version of each item that matches. */
  restorePoint?: string;
  /** Words that must all occur in subject, sender, recipients, file name or body; the last may be a beginning. `"in quotes"`: next to each other. */
  text?: string;
  from?: string;
  to?: string;
  subject?: string;
  fileName?: string;
  kinds?: readonly ItemKind[];
  dateFrom?: Date;
  dateTo?: Date;
  sizeFrom?: number;
  sizeTo?: number;
  hasAttachments?: boolean;
  /** Only what the object no longer has, in no version; or only what it has. */
  isDeleted?: boolean;
  limit: number;
  /** Where the page before said that the next one begins, or the cursor of the hit before those that are requested. */
  after?: string;
}

export interface SearchPage {
  hits: SearchHit[];
  /**
   * Cursor for the next page; `null`: there is none. A page may have fewer hits than were asked for, even none, and a next one: where
   * many items have the words and few have them next to each other.
   */
  next: string | null;
}

export interface SearchHit {
  object: CatalogObject;
  version: ItemVersion;
  /** Names of the containers from the top down to the item's parent. */
  path: string[];
  /** When the item was there last, in any version; `null`: it is. */
  goneAt: Date | null;
  /** For a page that begins behind it. */
  cursor: string;
}
