import type { AcceptedLosses, CommitRange, Losses } from '../model/accepted-losses.ts';
import { countedSkew } from '../model/clock-skew.ts';
import { EngineError } from '../model/engine-error.ts';
import type { Segment, StoredContent } from '../model/items.ts';
import { orDamaged } from '../model/or-damaged.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { listedUntil } from '../model/stoppable.ts';
import { hasObject } from '../store/has-object.ts';
import type { ObjectStore, OnForeign } from '../store/object-store.ts';
import { StoppableStore } from '../store/stoppable-store.ts';
import { type ChunkIndex, soundPlaces } from './chunk-index.ts';
import { type ChunkPlace, type Commit, newRunId, type RunHeader, type StoredPack } from './commit.ts';
import { BatchSink } from './content/batch-sink.ts';
import { Chunker } from './content/chunker.ts';
import { ContentReader } from './content/content-reader.ts';
import { ContentWriter } from './content/content-writer.ts';
import { beginGeneration, readGeneration } from './generation.ts';
import { type ChunkSizes, IDENTITY_NAME, type Identity } from './identity.ts';
import { Journals } from './journals/journal.ts';
import { withoutReplaced } from './journals/journal-forms.ts';
import { deriveKeys, keyedName, type PasswordCost, type RepositoryKeys } from './keys.ts';
import { type LockPlace, type LockTimes, listLocks, livingRuns, requireLockTimes } from './lock-objects.ts';
import { acceptLosses, readAcceptedLosses } from './losses.ts';
import { COMMIT_NAME, FOLDERS, isOwnName, PACK_NAME } from './object-names.ts';
import type { PackingOptions } from './packs/batch-workers.ts';
import { packObjectName } from './packs/pack-builder.ts';
import { checkPack, type PackFinding } from './packs/pack-check.ts';
import {
  addKey,
  checkPassword,
  type FoundKey,
  findKey,
  listPasswords,
  type PasswordFacts,
  refuseMoreKeys,
  removePassword,
} from './passwords.ts';
import type {
  LastingObject,
  ListedJournal,
  ListedRun,
  ListedSegment,
  LivingLock,
  LockHolder,
  LockWait,
  ReplacedCommits,
  Repository,
  RepositoryLock,
  Run,
  RunOptions,
} from './repository.ts';
import { takeLock } from './repository-lock.ts';
import { RepositoryRun } from './repository-run.ts';
import { ensureReserve, releaseReserve } from './reserve.ts';
import { StoredClaims } from './run-claims.ts';
import { StoreClock } from './store-clock.ts';

export interface RepositoryOptions {
  /** Named in journals and locks. */
  program?: string;
  now?: () => Date;
  /**
   * How often locks are renewed, and when they count as dead. Shorter than usual where a fleet of workers must go on soon with what one of them left;
   * each lock says its own, so that others may have other times.
   */
  lockTimes?: LockTimes;
  /** How hard guessing the password is made. Lower it in tests alone. */
  passwordCost?: PasswordCost;
  /** At creation: how contents are cut. Other than usual in tests alone. */
  chunkSizes?: ChunkSizes;
  /** Which threads cut and pack. Other than usual in tests alone. */
  packing?: PackingOptions;
}

const DAY_MS = 86_400_000;

/** A repository in a store: puts the parts of this folder together. */
export class StoreRepository implements Repository {
  readonly id: string;
  readonly description: string;
  private readonly store: ObjectStore;
  private readonly identity: Identity;
  private readonly key: Buffer;
  /** The object whose password opened the repository. */
  private keyName: string;
  private readonly keys: RepositoryKeys;
  private readonly options: RepositoryOptions;
  private readonly program: string;
  private readonly place: LockPlace;
  private readonly journals: Journals;
  private readonly reader: ContentReader;

  constructor(store: ObjectStore, identity: Identity, { name, key }: FoundKey, options: RepositoryOptions) {
    this.id = identity.id;
    this.description = store.description;
    this.store = store;
    this.identity = identity;
    this.key = key;
    this.keyName = name;
    this.keys = deriveKeys(key);
    this.options = options;
    this.program = options.program ?? 'keepwatch-engine';
    const times = options.lockTimes === undefined ? {} : { times: requireLockTimes(options.lockTimes) };
    this.place = { store, keys: this.keys, program: this.program, clock: new StoreClock(), ...times };
    this.journals = new Journals(store, this.keys, this.program);
    this.reader = new ContentReader(store, this.keys);
  }

  until(signal: AbortSignal): Repository {
    const { store, identity, key, keyName: name, options } = this;
    const stoppable = store instanceof StoppableStore ? store.until(signal) : new StoppableStore(store, signal);
    return stoppable === store ? this : new StoreRepository(stoppable, identity, { name, key }, options);
  }

  objectKey({ organizationId, kind, id }: Pick<ProtectedObject, 'organizationId' | 'kind' | 'id'>): string {
    return keyedName(this.keys.chunkNames, ['object', organizationId, kind, id].join('\0')).toString('base64url');
  }

  async startRun(
    header: Omit<RunHeader, 'id' | 'startedAt'>,
    index: ChunkIndex,
    { lock: held, wait, skewMs }: RunOptions = {},
  ): Promise<Run> {
    const startedAt = this.now();
    const id = newRunId(startedAt);
    const lock = held ?? (await takeLock(this.place, 'shared', id, wait));
    const sizes = this.identity.chunker;
    const sink = new BatchSink(this.store, { keys: this.keys, sizes }, soundPlaces(index), this.options.packing);
    const chunker = new Chunker(this.keys.chunker, sizes);
    return new RepositoryRun({
      header: { ...header, id, startedAt: new Date(startedAt.getTime() - countedSkew(skewMs ?? lock.skewMs)) },
      journals: this.journals,
      sink,
      writer: new ContentWriter(sink, chunker, sizes),
      reader: this.reader,
      index,
      lock,
      claims: new StoredClaims(this.place, id),
      release: held === undefined ? () => lock.release() : async () => undefined,
    });
  }

  read(content: StoredContent, index: ChunkIndex, signal?: AbortSignal): AsyncIterable<Buffer> {
    const bytes = this.reader.read(content, index, signal);
    // Also in the middle of a request to a slow store.
    return signal === undefined ? bytes : listedUntil(bytes, signal);
  }

  segmentsOf(content: StoredContent, index: ChunkIndex): Promise<readonly Segment[]> {
    return this.reader.segmentsOf(content, index);
  }

  listRuns(): AsyncIterable<ListedRun> {
    return this.journals.list();
  }

  listJournals(): AsyncIterable<ListedJournal> {
    return this.journals.journals();
  }

  listSegments(): Promise<ListedSegment[]> {
    return this.journals.segments.list();
  }

  runsOfSegment(segment: ListedSegment): Promise<ListedRun[]> {
    return this.journals.segments.runsOf(segment);
  }

  openSegment(segment: ListedSegment): Promise<ListedRun[]> {
    return this.journals.segments.openOne(segment);
  }

  createSegment(journals: readonly ListedJournal[], lock: LivingLock): Promise<boolean> {
    return this.journals.createSegment(journals, lock);
  }

  dropOutdatedSegment(segment: ListedSegment, journals: readonly ListedJournal[], lock: LivingLock) {
    return this.journals.outdated.drop(segment, journals, lock);
  }

  deleteSegmented(segment: ListedSegment, journal: ListedJournal): Promise<Date | null> {
    return this.journals.deleteSegmented(segment, journal);
  }

  findCommit(run: string, sequence: number): Promise<Commit | null> {
    return this.journals.find(run, sequence);
  }

  findOwnCommit(run: string, sequence: number): Promise<Commit | null> {
    return this.journals.findOwn(run, sequence);
  }

  hasCommit(run: string, sequence: number): Promise<boolean> {
    return this.journals.has(run, sequence);
  }

  missingCommits(run: string, listed: number): Promise<CommitRange[]> {
    return this.journals.missing(run, listed);
  }

  generation(): Promise<string> {
    return readGeneration(this.store);
  }

  beginGeneration(): Promise<string> {
    return beginGeneration(this.store);
  }

  acceptedLosses(): Promise<AcceptedLosses> {
    return readAcceptedLosses(this.store, this.keys);
  }

  acceptLosses(losses: Losses): Promise<void> {
    return acceptLosses(this.store, this.keys, losses);
  }

  deleteReplacedCommits(signal?: AbortSignal): Promise<ReplacedCommits> {
    return this.journals.deleteReplaced(signal);
  }

  closeRun(run: string, after: number, by: string): Promise<Commit[]> {
    return this.journals.close(run, after, by);
  }

  async *listPacks(
    onStranger: OnForeign = () => undefined,
  ): AsyncIterable<{ name: string; sizeBytes: number; createdAt: Date }> {
    for await (const { name: path, ...facts } of this.store.list('packs/', onStranger)) {
      const name = PACK_NAME.exec(path)?.[2];
      if (name === undefined) onStranger(path);
      else yield { ...facts, name };
    }
  }

  async *listStrangers(): AsyncIterable<string> {
    const foreign: string[] = [];
    for (const folder of FOLDERS) {
      for await (const { name } of this.store.list(folder, (one) => foreign.push(one)))
        if (!isOwnName(name)) yield name;
      yield* foreign.splice(0);
    }
  }

  checkPack(pack: StoredPack): Promise<PackFinding> {
    return checkPack(this.store, this.keys, pack);
  }

  async hasChunk(id: string, places: readonly ChunkPlace[]): Promise<boolean> {
    return (await orDamaged(this.reader.chunk(id, places, true))) !== null;
  }

  hasPack(name: string): Promise<boolean> {
    return hasObject(this.store, packObjectName(name));
  }

  deletePack(name: string): Promise<void> {
    return this.store.delete(packObjectName(name));
  }

  ensureReserve(): Promise<void> {
    return ensureReserve(this.store);
  }

  releaseReserve(): Promise<void> {
    return releaseReserve(this.store);
  }

  async packLockedUntil(name: string): Promise<Date | null> {
    const until = this.lockDays === null ? null : await this.lockedUntil(packObjectName(name));
    return until !== null && until > this.present() ? until : null;
  }

  get lockDays(): number | null {
    return this.store.lockDays ?? null;
  }

  present(): Date {
    return this.store.now?.() ?? new Date();
  }

  async *listLasting(): AsyncIterable<LastingObject> {
    for (const prefix of [IDENTITY_NAME, 'keys/', 'generations/', 'losses/', 'segments/', 'journals/', 'packs/'])
      for await (const { name, createdAt } of withoutReplaced(this.store.list(prefix))) {
        const pack = PACK_NAME.exec(name)?.[2] ?? null;
        const run = COMMIT_NAME.exec(name)?.[1] ?? null;
        if (prefix !== 'packs/' || pack !== null) yield { name, createdAt, pack, run };
      }
  }

  async lockedUntil(name: string): Promise<Date | null> {
    return (await this.store.lockedUntil?.(name)) ?? null;
  }

  async extendLock(name: string): Promise<void> {
    const until = new Date(this.present().getTime() + (this.lockDays ?? 0) * DAY_MS);
    await this.store.extendLock?.(name, until);
  }

  lock(kind: RepositoryLock['kind'], wait?: LockWait): Promise<RepositoryLock> {
    return takeLock(this.place, kind, null, wait);
  }

  listLocks(): AsyncIterable<LockHolder> {
    return listLocks(this.place);
  }

  livingRuns(): Promise<ReadonlySet<string>> {
    return livingRuns(this.place);
  }

  passwords(): Promise<PasswordFacts[]> {
    return listPasswords(this.store, this.id);
  }

  async addPassword(password: string, label: string): Promise<void> {
    checkPassword(password);
    await refuseMoreKeys(this.store, this.id);
    await this.addKey(password, label);
  }

  removePassword(id: string): Promise<void> {
    return removePassword(this.store, this.id, id, this.keyName);
  }

  async changePassword(from: string, to: string): Promise<void> {
    const old = await findKey(this.store, this.id, from);
    if (old === null) throw new EngineError('wrong-password', 'The present password is not the one that was given.');
    checkPassword(to);
    const name = await this.addKey(to, 'changed');
    if (old.name === this.keyName) this.keyName = name;
    await this.store.delete(old.name);
  }

  private addKey(password: string, label: string): Promise<string> {
    const { passwordCost: cost } = this.options;
    return addKey(this.store, this.key, this.identity, password, { label, createdAt: this.now(), cost });
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private now(): Date {
    return (this.options.now ?? (() => new Date()))();
  }
}
