import type pg from 'pg';
import { EngineError } from '../../model/engine-error.ts';
import { type Expiry, expiryOf } from '../../model/expiry.ts';
import type { Item, ItemKind, ItemVersion, StoredItem } from '../../model/items.ts';
import type { ChunkPlace, Commit, KnownCommit, StoredPack } from '../../repository/commit.ts';
import type {
  ApplyOptions,
  BrowseQuery,
  CatalogJob,
  CatalogObject,
  CatalogWaits,
  ChangesQuery,
  ChunkUser,
  DoubledRevision,
  ErasureRecord,
  GrowthDay,
  GrowthFilter,
  ItemChange,
  ListedObject,
  ListedRestorePoint,
  NewestPack,
  ObjectDigest,
  ObjectFindings,
  ObjectQuery,
  Page,
  ReadList,
  RepositoryCatalog,
  RestorePoint,
  RestorePointFilter,
  SearchPage,
  SearchQuery,
  SuccessorCatalog,
  TargetClaim,
  Usage,
  VersionCount,
} from '../catalog.ts';
import { applyCommit } from './apply/apply.ts';
import { applyMany } from './apply/apply-many.ts';
import { browse, containerNumber, itemAt, versionsOf } from './browse.ts';
import { changesOf } from './changes.ts';
import { knownPacks, listPacks, locateChunks, newestPacks, setPacksCompared } from './chunks.ts';
import { damagedChunks } from './damaged-chunks.ts';
import { digestOf } from './digest.ts';
import { isOutOfOrder } from './doubled-revisions.ts';
import { findObjects } from './find-objects.ts';
import { growthOf, objectBytes, usageOf } from './growth.ts';
import { parentHash } from './item-record.ts';
import { namesakesOf } from './namesakes.ts';
import { objectFindings } from './object-findings.ts';
import {
  currentIds,
  currentItems,
  findObject,
  type ItemPlace,
  listObjects,
  objectNumber,
  revisionOf,
} from './objects.ts';
import { countVersions, erasedPacks, isErasureUnfinished, listErasures } from './retention/erasures.ts';
import { countExpirable } from './retention/expiry.ts';
import {
  commitsBetween,
  findRestorePoint,
  generationOf,
  lastCommits,
  listJobs,
  listRestorePoints,
  locksReviewedAt,
  openRuns,
  restorePointObjects,
  setGeneration,
  setLocksReviewedAt,
  startOfRetained,
  unfollowed,
} from './runs.ts';
import { search } from './search/search.ts';
import { countUnindexed, indexWords, mergeIndex, unindexed, type VersionText } from './search/search-index.ts';
import { addSegment, countUnsegmented, dropSegments, knownSegments, segmentsOf, unsegmented } from './segments.ts';
import { askedUntil } from './sessions/asked-until.ts';
import { claimTarget } from './sessions/target-claim.ts';
import { wholePass } from './sessions/whole-pass.ts';
import { beginSuccessor, dropSuccessor, makeSuccessor, replaceRepository } from './successor.ts';
import { type PackUsage, packUsage, versionsLackingChunks, versionsUsing } from './usage.ts';
import { walk, weigh } from './walk.ts';

/** Sessions for queries, and apart from them those that are held for hours: a few restores must not leave none to ask with. */
export interface CatalogPools {
  pool: pg.Pool;
  pins: pg.Pool;
}

/** One repository's part of the catalog: what is asked by key is looked up here, and goes on by number. */
export class PostgresRepositoryCatalog implements RepositoryCatalog {
  protected readonly pool: pg.Pool;
  private readonly pins: pg.Pool;
  protected readonly number: number;
  private readonly waits: CatalogWaits;

  constructor({ pool, pins }: CatalogPools, number: number, waits: CatalogWaits) {
    this.pool = pool;
    this.pins = pins;
    this.number = number;
    this.waits = waits;
  }

  withWaits(waits: CatalogWaits): RepositoryCatalog {
    return new PostgresRepositoryCatalog({ pool: this.pool, pins: this.pins }, this.number, waits);
  }

  apply(commit: Commit, options: ApplyOptions = {}): Promise<DoubledRevision[]> {
    return applyCommit(this.pool, this.number, commit, options, this.waits);
  }

  applyMany(commits: readonly Commit[], options: Pick<ApplyOptions, 'signal'> = {}): Promise<void> {
    return applyMany(this.pool, this.number, commits, options, this.waits);
  }

  openRuns(): Promise<ReadonlyMap<string, number>> {
    return openRuns(this.pool, this.number);
  }

  lastCommits(runs?: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return lastCommits(this.pool, this.number, runs ?? null);
  }

  unfollowed(): Promise<KnownCommit[]> {
    return unfollowed(this.pool, this.number);
  }

  commitsBetween(after: string, to: string | null, limit?: number): Promise<ReadonlyMap<string, number>> {
    return commitsBetween(this.pool, this.number, after, to, limit ?? null);
  }

  looseBetween(after: string, to: string | null): Promise<ReadonlyMap<string, number>> {
    return commitsBetween(this.pool, this.number, after, to, null, true);
  }

  segments(): Promise<ReadonlySet<string>> {
    return knownSegments(this.pool, this.number);
  }

  addSegment(name: string, runs: ReadonlyMap<string, number>): Promise<boolean> {
    return addSegment(this.pool, this.number, name, runs);
  }

  dropSegments(names: readonly string[]): Promise<void> {
    return dropSegments(this.pool, this.number, names);
  }

  segmentsOf(runs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return segmentsOf(this.pool, this.number, runs);
  }

  unsegmented(runs: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return unsegmented(this.pool, this.number, runs);
  }

  countUnsegmented(): Promise<number> {
    return countUnsegmented(this.pool, this.number);
  }

  generation(): Promise<string> {
    return generationOf(this.pool, this.number);
  }

  setGeneration(generation: string): Promise<void> {
    return setGeneration(this.pool, this.number, generation);
  }

  isOutOfOrder(): Promise<boolean> {
    return isOutOfOrder(this.pool, this.number);
  }

  locksReviewedAt(): Promise<Date | null> {
    return locksReviewedAt(this.pool, this.number);
  }

  setLocksReviewedAt(at: Date): Promise<void> {
    return setLocksReviewedAt(this.pool, this.number, at);
  }

  async successor(): Promise<SuccessorCatalog> {
    const making = await beginSuccessor(this.pins, this.number);
    try {
      const number = await makeSuccessor(this.pool, this.number);
      return {
        // Over pinned sessions, too: those for queries may all be of writers that wait for the exchange.
        catalog: new PostgresRepositoryCatalog({ pool: this.pins, pins: this.pins }, number, this.waits),
        replace: (bringLast) => replaceRepository(this.pins, this.number, number, bringLast, this.waits),
        drop: () => dropSuccessor(this.pool, number),
        end: () => making.end(),
      };
    } catch (error) {
      await making.end();
      throw error;
    }
  }

  countVersions(keys: readonly string[]): Promise<ReadonlyMap<string, VersionCount>> {
    const { signal } = this.waits;
    return askedUntil(this.pool, signal, (connection) => countVersions(connection, this.number, keys));
  }

  listErasures(): Promise<ErasureRecord[]> {
    return listErasures(this.pool, this.number);
  }

  erasedPacks(): Promise<ReadonlySet<string>> {
    return erasedPacks(this.pool, this.number);
  }

  isErasureUnfinished(): Promise<boolean> {
    return isErasureUnfinished(this.pool, this.number);
  }

  revisionOf(key: string): Promise<number> {
    return revisionOf(this.pool, this.number, key);
  }

  locate(ids: readonly string[]): Promise<ReadonlyMap<string, readonly ChunkPlace[]>> {
    return locateChunks(this.pool, this.number, ids);
  }

  object(key: string): Promise<CatalogObject | null> {
    return findObject(this.pool, this.number, key);
  }

  listObjects(): AsyncIterable<CatalogObject> {
    return listObjects(this.pool, this.number);
  }

  findObjects(query: ObjectQuery): Promise<Page<ListedObject>> {
    return findObjects(this.pool, this.number, query);
  }

  usage(organizationId?: string, signal?: AbortSignal): Promise<Usage> {
    return askedUntil(this.pool, signal, (connection) => usageOf(connection, this.number, organizationId ?? null));
  }

  objectBytes(keys: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
    return askedUntil(this.pool, signal, (connection) => objectBytes(connection, this.number, keys));
  }

  growth(filter: GrowthFilter): Promise<GrowthDay[]> {
    return growthOf(this.pool, this.number, filter);
  }

  async current(key: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredItem>> {
    const ask = (object: number) => currentItems(this.pool, object, ids);
    return (await this.ask(key, ask, (items) => items.size < ids.length)) ?? new Map();
  }

  async *currentIds(key: string, kinds: readonly ItemKind[], parentId?: string | null): AsyncGenerator<ItemPlace> {
    const container = parentId === undefined ? undefined : parentHash(parentId);
    for (let object = await this.find(key); object !== null; ) {
      yield* currentIds(this.pool, object, kinds, container);
      const present = await this.find(key);
      if (present === object) return;
      object = present;
    }
  }

  startOfRetained(expiry: Expiry): Promise<Expiry> {
    return startOfRetained(this.pool, this.number, expiry);
  }

  listJobs(): Promise<CatalogJob[]> {
    return listJobs(this.pool, this.number);
  }

  listRestorePoints(filter: RestorePointFilter): Promise<ListedRestorePoint[]> {
    return listRestorePoints(this.pool, this.number, filter);
  }

  restorePoint(run: string): Promise<RestorePoint | null> {
    return findRestorePoint(this.pool, this.number, run);
  }

  objectFindings(object: string, revision: number, restorePoint?: string): Promise<ObjectFindings | null> {
    return objectFindings(this.pool, this.number, object, revision, restorePoint);
  }

  restorePointObjects(run: string): Promise<{ object: CatalogObject; revision: number }[]> {
    return restorePointObjects(this.pool, this.number, run);
  }

  browse(query: BrowseQuery): Promise<Page<ItemVersion>> {
    const page = async (object: number) => {
      const container = await containerNumber(this.pool, object, query.parentId);
      return container === null ? { rows: [], next: null } : browse(this.pool, object, container, query);
    };
    return this.askOf(query.object, page, ({ rows }) => rows.length === 0);
  }

  item(key: string, revision: number, id: string): Promise<ItemVersion | null> {
    const ask = (object: number) => itemAt(this.pool, object, revision, id);
    return this.askOf(key, ask, (found) => found === null);
  }

  namesakes(key: string, revision: number, item: Item): Promise<ItemVersion[]> {
    const ask = async (object: number) => {
      const container = await containerNumber(this.pool, object, item.parentId);
      return container === null ? [] : namesakesOf(this.pool, { object, container, revision }, item);
    };
    return this.askOf(key, ask, (found) => found.length === 0);
  }

  versionsOf(key: string, id: string): Promise<ItemVersion[]> {
    const ask = (object: number) => versionsOf(this.pool, object, id);
    return this.askOf(key, ask, (found) => found.length === 0);
  }

  changes(query: ChangesQuery, signal?: AbortSignal): Promise<Page<ItemChange>> {
    const ask = (object: number) => askedUntil(this.pool, signal, (connection) => changesOf(connection, object, query));
    return this.askOf(query.object, ask, ({ rows }) => rows.length === 0);
  }

  digest(key: string, revision: number, kinds: readonly ItemKind[], signal?: AbortSignal): Promise<ObjectDigest> {
    const ask = (object: number) =>
      askedUntil(this.pool, signal, (connection) => digestOf(connection, object, revision, kinds));
    return this.askOf(key, ask, ({ items }) => items === 0);
  }

  async *walk(
    object: string,
    revision: number,
    from: string | null,
    options: { showDeleted?: boolean } = {},
  ): AsyncGenerator<ItemVersion> {
    yield* walk(this.pool, { object: await this.numberOf(object), revision, from, ...options });
  }

  weigh(key: string, revision: number, items: readonly string[] | null): Promise<{ items: number; bytes: number }> {
    const ask = (object: number) => weigh(this.pool, { object, revision, items });
    return this.askOf(key, ask, (sum) => sum.items === 0);
  }

  claimTarget(target: string, name: string): Promise<TargetClaim> {
    return claimTarget(this.pins, target, name);
  }

  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage> {
    return askedUntil(this.pool, signal, (connection) => search(connection, this.number, query));
  }

  unindexed(limit: number): Promise<{ object: string; version: ItemVersion }[]> {
    return unindexed(this.pool, this.number, limit);
  }

  index(words: readonly VersionText[]): Promise<void> {
    return indexWords(this.pool, this.number, words, this.waits);
  }

  countUnindexed(): Promise<number> {
    return countUnindexed(this.pool, this.number);
  }

  mergeIndex(): Promise<void> {
    return mergeIndex(this.pool);
  }

  async *listPacks(): AsyncGenerator<StoredPack> {
    const packs = wholePass(this.pins, this.number, this.waits, (connection) => listPacks(connection, this.number));
    for await (const { number: _number, ...pack } of packs) yield pack;
  }

  newestPacks(limit: number): Promise<NewestPack[]> {
    return newestPacks(this.pool, this.number, limit);
  }

  setPacksCompared(to: string): Promise<void> {
    return setPacksCompared(this.pool, this.number, to);
  }

  knownPacks(names: readonly string[]): Promise<ReadonlyMap<string, { isRetired: boolean }>> {
    return knownPacks(this.pool, this.number, names);
  }

  damagedChunks(): Promise<ReadonlyMap<string, readonly string[]>> {
    return damagedChunks(this.pool, this.number);
  }

  versionsUsing(chunks: readonly string[], readList?: ReadList): AsyncIterable<ChunkUser> {
    return wholePass(this.pins, this.number, this.waits, () => versionsUsing(this.pool, this.number, chunks, readList));
  }

  versionsLackingChunks(readList?: ReadList): AsyncIterable<ChunkUser> {
    return wholePass(this.pins, this.number, this.waits, () => versionsLackingChunks(this.pool, this.number, readList));
  }

  expirable(expiry: Date | Expiry): Promise<{ versions: number; bytes: number; restorePoints: number }> {
    const { signal } = this.waits;
    return askedUntil(this.pool, signal, (connection) => countExpirable(connection, this.number, expiryOf(expiry)));
  }

  packUsage(expiry: Date | Expiry, readList?: ReadList): AsyncIterable<PackUsage> {
    return wholePass(this.pins, this.number, this.waits, (connection) =>
      packUsage(this.pool, connection, this.number, expiryOf(expiry), readList),
    );
  }

  /**
   * The number of an object; another one once a rebuild has exchanged the catalog. A caller that asked by a number that no longer exists
   * learned nothing of the object, and asks again: a backup would treat what it does not find as absent, and let it stay when it was deleted.
   */
  private find(key: string): Promise<number | null> {
    return objectNumber(this.pool, this.number, key);
  }

  /**
   * Asks by the number of an object. That something is missing under a number that is no more does not say that it is not there.
   * @returns `undefined` when there is no such object
   */
  private async ask<T>(
    key: string,
    ask: (object: number) => Promise<T>,
    lacks: (found: T) => boolean,
  ): Promise<T | undefined> {
    for (let object = await this.find(key); object !== null; ) {
      const found = await ask(object);
      const present = lacks(found) ? await this.find(key) : object;
      if (present === object) return found;
      object = present;
    }
    return undefined;
  }

  /** The same of an object that has to be there. @throws `not-found` */
  private async askOf<T>(key: string, ask: (object: number) => Promise<T>, lacks: (found: T) => boolean): Promise<T> {
    const found = await this.ask(key, ask, lacks);
    if (found === undefined) throw unknownObject(key);
    return found;
  }

  /** @throws `not-found` */
  private async numberOf(key: string): Promise<number> {
    const number = await this.find(key);
    if (number === null) throw unknownObject(key);
    return number;
  }
}

const unknownObject = (key: string) =>
  new EngineError('not-found', `The repository's catalog has no object ${key}. Choose one of a restore point.`);
