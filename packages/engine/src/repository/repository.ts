import type { AcceptedLosses, CommitRange, Losses } from '../model/accepted-losses.ts';
import type { JobExpiry } from '../model/expiry.ts';
import type { ContentName, Segment, StoredContent } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { ChunkIndex } from './chunk-index.ts';
import type {
  ChunkPlace,
  Commit,
  KnownCommit,
  ObjectSection,
  PackDamage,
  RunEnd,
  RunHeader,
  StoredPack,
} from './commit.ts';
import type { PackFinding } from './packs/pack-check.ts';
import type { PasswordFacts } from './passwords.ts';

/**
 * The entry point of the repository: no code outside this folder knows packs, keys or sealed objects from within. It is opened with
 * `openRepository(store, password)` and made with `createRepository(store, password)`.
 */
export interface Repository {
  readonly id: string;
  /** Of the store; contains no secret. */
  readonly description: string;

  /**
   * The same repository for a piece of work: whatever its store does, the work ends within a second of the signal. Reading ends at once. A write that does
   * not answer within a moment is left under way, and whether it is stored is not known, as if the process had died; locks are given back after it.
   */
  until(signal: AbortSignal): Repository;

  /** The object's key in this repository. */
  objectKey(object: Pick<ProtectedObject, 'organizationId' | 'kind' | 'id'>): string;

  /**
   * Begins a run under a shared lock that is renewed until the run ends. Its journal begins with its first commit: who is to be able to
   * close it has to see one, so it comes before the first look at the index.
   */
  startRun(header: Omit<RunHeader, 'id' | 'startedAt'>, index: ChunkIndex, options?: RunOptions): Promise<Run>;

  /** The bytes of a content, in order, each chunk decrypted and checked; a chunk that is damaged in one pack is read from another that has it. */
  read(content: StoredContent, index: ChunkIndex, signal?: AbortSignal): AsyncIterable<Buffer>;

  /** The segments of a content, those of its list included. @throws `damaged` when the list cannot be read */
  segmentsOf(content: StoredContent, index: ChunkIndex): Promise<readonly Segment[]>;

  /** Runs whose commits are objects of their own, in the order of their ids, and the sequence of the last commit of each. */
  listRuns(): AsyncIterable<ListedRun>;
  /** The same with the objects of each. */
  listJournals(): AsyncIterable<ListedJournal>;
  /** Objects with the commits of many ended runs, in the order of their first runs. */
  listSegments(): Promise<ListedSegment[]>;
  /** The runs of a segment in the order of their ids. @throws `damaged`, `not-found` */
  runsOfSegment(segment: ListedSegment): Promise<ListedRun[]>;
  /** The same, and reads all of it: `findCommit` then makes no request for its commits, until some other segments were opened. */
  openSegment(segment: ListedSegment): Promise<ListedRun[]>;
  /**
   * Copies the journals of runs that have ended into a segment, as they are.
   * @returns `false` where there is one of these first and last runs
   * @throws `locked` where the lock may count as dead before or after the creation: an erasure may have begun, and the segment is deleted again
   */
  createSegment(journals: readonly ListedJournal[], lock: LivingLock): Promise<boolean>;
  /**
   * Drops a segment that says what a later form of a journal beside it does not, where all that it has is in journals, too.
   * @param journals all of it that are objects of their own
   * @returns `current` where it says no more than they do, `outdated` where it does and stays: then no journal of it may be deleted
   */
  dropOutdatedSegment(
    segment: ListedSegment,
    journals: readonly ListedJournal[],
    lock: LivingLock,
  ): Promise<'current' | 'outdated' | 'dropped'>;
  /**
   * Deletes a journal that a segment has, after reading it there.
   * @returns until when it is locked against deletion; `null`: it is gone
   * @throws `damaged` where the segment does not have all of it
   */
  deleteSegmented(segment: ListedSegment, journal: ListedJournal): Promise<Date | null>;
  /** A commit, as an object of its own or in a segment; `null` when the run has no such commit (yet). */
  findCommit(run: string, sequence: number): Promise<Commit | null>;
  /** The same of a commit that is an object of its own, whatever segments have. */
  findOwnCommit(run: string, sequence: number): Promise<Commit | null>;
  /** Whether the store has the commit, without reading it. */
  hasCommit(run: string, sequence: number): Promise<boolean>;
  /** Which commits before a listed one are not there, in their order. However large its number is, few requests for each gap. */
  missingCommits(run: string, listed: number): Promise<CommitRange[]>;
  /** Changes when a rebuild goes on without commits that are lost; empty for the first generation. */
  generation(): Promise<string>;
  /** To be called by who accepts a loss: every other catalog has to be rebuilt. @returns the new generation */
  beginGeneration(): Promise<string>;
  /** What was accepted as lost. */
  acceptedLosses(): Promise<AcceptedLosses>;
  /** Writes that something is lost for good: no catalog asks for it any more. */
  acceptLosses(losses: Losses): Promise<void>;
  /** Deletes forms of commits that others have replaced. @throws the reason of the signal, between two of them */
  deleteReplacedCommits(signal?: AbortSignal): Promise<ReplacedCommits>;
  /** Closes the journal of a run whose process is gone; returns the commits from `after` on, the closing one last. */
  closeRun(run: string, after: number, by: string): Promise<Commit[]>;

  /** Packs that are in the store, whether or not they are referenced. @param onStranger called with what is among them and is none */
  listPacks(onStranger?: (name: string) => void): AsyncIterable<{ name: string; sizeBytes: number; createdAt: Date }>;
  /** Names of what is in the other folders of the repository, and not the repository's. */
  listStrangers(): AsyncIterable<string>;
  /** Whether the store has the pack, without reading it. */
  hasPack(name: string): Promise<boolean>;
  /** Reads a whole pack: its name against its bytes, its directory, every chunk decrypted, its id against its bytes. */
  checkPack(pack: StoredPack): Promise<PackFinding>;
  /** Whether one of the places gives the chunk whole. */
  hasChunk(id: string, places: readonly ChunkPlace[]): Promise<boolean>;
  deletePack(name: string): Promise<void>;
  /** Stores bytes for a prune to free where the store is full. Does nothing where they are there, or where there is no room for them. */
  ensureReserve(): Promise<void>;
  releaseReserve(): Promise<void>;
  /** Until when a pack cannot be deleted; `null`: it can be now. */
  packLockedUntil(name: string): Promise<Date | null>;

  /** For how many days the store locks what the repository is made of; `null`: not at all. */
  readonly lockDays: number | null;
  /** The present by the store's clock, where that is known. */
  present(): Date;
  /** All that the repository is made of, without locks and claims. */
  listLasting(): AsyncIterable<LastingObject>;
  /** Until when an object cannot be deleted. */
  lockedUntil(name: string): Promise<Date | null>;
  /** Locks an object for all of the days from now on. */
  extendLock(name: string): Promise<void>;

  /** @throws `locked` with the holder's name when another lock excludes it, at once or after the wait */
  lock(kind: 'shared' | 'exclusive', wait?: LockWait): Promise<RepositoryLock>;
  /** Runs whose processes hold a lock; one that is not among them, and was begun before, is dead. */
  livingRuns(): Promise<ReadonlySet<string>>;
  /** Who works in the repository now. */
  listLocks(): AsyncIterable<LockHolder>;

  /** The passwords that are valid, oldest first. */
  passwords(): Promise<PasswordFacts[]>;
  /** @throws `not-found`; `bad-request` for the one that opened the repository */
  removePassword(id: string): Promise<void>;
  addPassword(password: string, label: string): Promise<void>;
  /** Writes the new password's key before the old one is deleted; no data is touched. */
  changePassword(from: string, to: string): Promise<void>;
  close(): Promise<void>;
}

/** An object that a repository is made of. */
export interface LastingObject {
  name: string;
  createdAt: Date;
  /** Name of the pack; `null` for anything else. */
  pack: string | null;
  /** The run whose journal it is of; `null` for anything else. */
  run: string | null;
}

/** A run with its objects in the store. */
export interface ListedJournal extends ListedRun {
  /** How many of its commits are there. */
  stored: number;
  names: readonly string[];
  sizeBytes: number;
  /** When the last of them was written, by the store's clock. */
  createdAt: Date;
}

export interface ListedSegment {
  name: string;
  first: string;
  last: string;
  form: number;
  createdAt: Date;
}

/** A run as the store lists it: the sequence of its last commit, and whether all before that are there. */
export interface ListedRun {
  run: string;
  commits: number;
  isWhole: boolean;
}

/** What became of a commit, or of those in a segment, of which something was to go. */
export interface Replaced {
  /** How many commits say less now. */
  changed: number;
  /** Until when an earlier form is locked against deletion; `null`: all are gone. */
  lockedUntil: Date | null;
}

/** What became of commits that others replaced. */
export interface ReplacedCommits {
  deleted: number;
  /** Locked against deletion, and until when at the latest. */
  locked: number;
  lockedUntil: Date | null;
}

/** A process that holds a lock: `shared` writes, `exclusive` deletes. */
export interface LockHolder {
  kind: 'shared' | 'exclusive';
  program: string;
  host: string;
  process: number;
  since: Date;
  /** When others may take it for dead, unless it says before that it lives. By the store's clock. */
  fallsAt: Date;
}

/** Objects by their keys, each at a revision. */
export type Revisions = readonly (readonly [key: string, revision: number])[];

/** What a run claims, as the store shows it to everybody. The run has its first commit by then: who finds the claims of a dead run can close its journal. */
export interface RunClaims {
  /** Claims these objects, in place of those it claimed before. @param sequence of the run's last commit, which brought what it gave back since */
  claim(objects: readonly string[], sequence: number): Promise<void>;
  /** What other runs claim, and which have ended. An object is owned where no other claims it. */
  look(): Promise<OtherRuns>;
  /** Takes away what a run claims that can commit no more, and says with which commit it ended (0: with none) and where its objects are. */
  closeOf(run: string, sequence: number, objects: Revisions): Promise<void>;
  /** The same of this run. The claims of a failed run stay: what it wrote last must be looked for. */
  end(sequence: number, objects: Revisions): Promise<void>;
  /** Where a run that ended left its objects. */
  revisionsOf(ended: EndedRun): Promise<Revisions>;
  /** Deletes what says how a run ended, but for what is left of it. */
  forget(ended: EndedRun, left?: Revisions): Promise<void>;
}

export interface OtherRuns {
  /** Runs with claims, by their ids; dead ones too. */
  claiming: ReadonlyMap<string, ClaimingRun>;
  /** Of the last hours. */
  ended: readonly EndedRun[];
}

export interface ClaimingRun {
  /** The last commit it had made when it claimed. */
  sequence: number;
  objects: readonly string[];
  /** Whether it claims the object; claims that cannot be read claim every one. */
  has(key: string): boolean;
}

export interface EndedRun {
  name: string;
  run: string;
  /** Of its last commit. */
  sequence: number;
  form: number;
  createdAt: Date;
}

export interface RunOptions {
  /** A lock that is held already, and stays its holder's. */
  lock?: RepositoryLock;
  /** How long it waits where a prune excludes it. */
  wait?: LockWait;
  /** How far this machine's clock is ahead of a better one than the store's: the run began at the instant which that one shows. */
  skewMs?: number | null;
}

/** What becomes of a lock that another one excludes. Two exclusive ones never wait for each other. */
export interface LockWait {
  /** At most; without it, not at all. */
  forMs?: number;
  signal?: AbortSignal;
  /** Called once, with a text that names the holders it waits for. */
  onWait?: (message: string) => void;
}

export interface RepositoryLock {
  readonly kind: 'shared' | 'exclusive';
  /** When it was acquired, by the clock of the store. */
  readonly storeTime: Date;
  /** How far the clock of this machine is ahead of the store's. */
  readonly skewMs: number;
  /** @throws `locked` when the lock could not be renewed in time: others may take it for dead from now on */
  check(): void;
  /** Looks whether it is still in the store. @throws `locked` when others took it for dead */
  confirm(): Promise<void>;
  /** Never fails: a lock that cannot be given back expires on its own. */
  release(): Promise<void>;
}

/** A lock that others gave, to ask whether it is still held. */
export type LivingLock = Pick<RepositoryLock, 'check' | 'confirm'>;

/** Bytes of an item that are to be stored: at once, or as they come. */
export interface NewContent {
  name: ContentName;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
  /** Of a stream, where it is known: how much memory is reserved for it. */
  sizeBytes?: number | null;
}

/** The writing half of a run. Any number of contents may be written side by side; memory stays bounded by waiting. */
export interface Run {
  readonly id: string;
  readonly lock: LivingLock;
  /** How far the clock of this machine is ahead of the store's, where that is more than clocks differ; otherwise 0. */
  readonly skewMs: number;
  readonly bytesStored: number;

  /**
   * Stores the contents of one item, as far as they are not stored yet: cut, compressed, encrypted. Small ones share chunks; of a content
   * named `mime` the base64 attachments are stored decoded and apart. The next commit makes them durable.
   */
  write(contents: readonly NewContent[]): Promise<StoredContent[]>;
  /**
   * The same in two steps, for who writes many items: resolves when all is read and there was room for it, and what it returns when it is known where the
   * contents are. Items wait for each other until a batch of them is full, a quarter of a second at most.
   */
  give(contents: readonly NewContent[]): Promise<() => Promise<StoredContent[]>>;
  /** What was given need not wait for more. */
  hurry(): void;
  /** Stores chunks once more, although a pack has them: a prune moves them out of packs with little left. Copied as they are, after a check. */
  copyChunks(ids: readonly string[]): Promise<void>;

  /** What this run claims. Its first commit comes before. */
  readonly claims: RunClaims;
  /** The sequence of its last commit; 0 without one. */
  readonly lastSequence: number;
  /** Whether it is not known if its last commit was stored. */
  readonly hasFailed: boolean;

  /**
   * Makes all that was written so far durable, and then the commit. It is what the catalog has to apply, before the next commit is asked for.
   * @throws `run-closed` when another process closed this run
   */
  commit(what: CommitContent): Promise<Commit>;
  /**
   * Takes something out of a commit of any run: in one step what is in the store is read, and written again as the form after that one, whose earlier
   * forms are deleted. The lock of this run must be held.
   * @param change returns the commit it was given where nothing is to go
   * @returns `null` where no form of the commit can be read
   * @throws `locked` where the lock may count as dead, or another process wrote that commit again meanwhile
   */
  replaceCommit(run: string, sequence: number, change: (commit: Commit) => Commit): Promise<Replaced | null>;
  /** The same of all commits in a segment; those that cannot be read stay as they are. */
  replaceInSegment(segment: ListedSegment, change: (commit: Commit) => Commit): Promise<Replaced>;
  /** Ends the run with its last commit and gives back its lock. @param what.end asked for when all is stored, and `bytesStored` is final */
  end(what: CommitContent & { end: () => RunEnd }): Promise<Commit>;
  /** Gives back lock and memory without a word in the journal: as if the process had died. */
  abandon(): Promise<void>;
}

export interface CommitContent {
  sections?: readonly ObjectSection[];
  retiredPacks?: readonly string[];
  erasedPacks?: readonly string[];
  expiredBefore?: Date | null;
  expiredJobs?: readonly JobExpiry[];
  /** Of the first commit. */
  follows?: readonly KnownCommit[];
  damage?: readonly PackDamage[];
}
