import { orDamaged } from '../../model/or-damaged.ts';
import { isAbsent } from '../../store/has-object.ts';
import { OBJECT_BYTES_MAX, type ObjectStore } from '../../store/object-store.ts';
import type { Commit } from '../commit.ts';
import type { RepositoryKeys } from '../keys.ts';
import { SEGMENT_NAME } from '../object-names.ts';
import type { ListedRun, ListedSegment, LivingLock, Replaced } from '../repository.ts';
import { seal, unseal } from '../sealed.ts';
import { commitName, deleteUnlocked, writtenByAnother } from './journal-forms.ts';
import { commitText, readCommit } from './journal-lines.ts';
import {
  countIn,
  directoryBytes,
  directoryOf,
  readDirectory,
  type SegmentEntry,
  segmentBytes,
  type WholeEntry,
} from './segment-layout.ts';

const FOLDER = 'segments/';
/** Segments in memory, a few MiB each. */
const OPEN_MAX = 4;
/** Journals stay for a day beside their segment, so a list may be older than this. */
const LISTED_MS = 10 * 60_000;
/** For so long no journal is deleted for a segment, however late who wrote it wakes up. */
const ALONE_MS = 12 * 3_600_000;

/** A segment that was read. */
interface OpenSegment {
  name: string;
  form: number;
  bytes: Buffer;
  runs: ReadonlyMap<string, readonly SegmentEntry[]>;
}

/** Commits of many ended runs, each as it was written, in one object (format, 6). */
export class Segments {
  private readonly store: ObjectStore;
  private readonly keys: RepositoryKeys;
  private readonly program: string;
  /** By the name without form; the one that was used last is the last. */
  private readonly open = new Map<string, OpenSegment>();
  private listed: { segments: ListedSegment[]; atMs: number } | null = null;

  constructor(store: ObjectStore, keys: RepositoryKeys, program: string) {
    this.store = store;
    this.keys = keys;
    this.program = program;
  }

  /** In the order of their first runs; of several forms the last. */
  async list(): Promise<ListedSegment[]> {
    const segments = new Map<string, ListedSegment>();
    for await (const { name: object, createdAt } of this.store.list(FOLDER)) {
      const [, first = '', last = '', form = '0'] = SEGMENT_NAME.exec(object) ?? [];
      if (first !== '')
        segments.set(`${first}-${last}`, { name: `${first}-${last}`, first, last, form: Number(form), createdAt });
    }
    this.listed = { segments: [...segments.values()], atMs: performance.now() };
    return this.listed.segments;
  }

  /** The runs of a segment in the order of their ids, by its directory alone. @throws `damaged`, `not-found` */
  async runsOf(segment: ListedSegment): Promise<ListedRun[]> {
    const open = this.open.get(segment.name);
    return runsIn(open === undefined ? byRun(await this.directoryOf(segment)) : open.runs);
  }

  /** Reads a segment, so that its commits are found without a request each. @throws `damaged`, `not-found` */
  async openOne(segment: ListedSegment): Promise<ListedRun[]> {
    return runsIn((await this.opened(segment)).runs);
  }

  /** A commit of a segment that is open; `undefined` for a run that is in none of them. */
  async findOpen(run: string, sequence: number): Promise<Commit | null | undefined> {
    const segment = [...this.open.values()].find(({ runs }) => runs.has(run));
    return segment === undefined ? undefined : this.commitOf(segment, run, sequence);
  }

  /** A commit of any segment, which is read for it. */
  async find(run: string, sequence: number): Promise<Commit | null> {
    const segment = await this.segmentOf(run);
    return segment === null ? null : this.commitOf(segment, run, sequence);
  }

  async has(run: string, sequence: number): Promise<boolean> {
    return (await this.sequencesOf(run)).includes(sequence);
  }

  async sequencesOf(run: string): Promise<number[]> {
    return (await this.segmentOf(run))?.runs.get(run)?.map(({ sequence }) => sequence) ?? [];
  }

  /**
   * @returns `false` where a segment of that name is there
   * @throws `locked` where the lock is not held right before or right after the creation: an erasure may have happened that did not see it
   */
  async create(entries: readonly WholeEntry[], lock: LivingLock): Promise<boolean> {
    const [first, last] = [entries[0]?.run, entries.at(-1)?.run];
    if (first === undefined || last === undefined) return false;
    const name = segmentName({ name: `${first}-${last}`, form: 0 });
    const bytes = segmentBytes(entries);
    lock.check();
    const begunMs = Date.now();
    this.listed = null;
    const isCreated = await this.store.create(name, bytes);
    if (isCreated) await lock.confirm().catch((error: unknown) => this.deleteLate(name, begunMs, error));
    return isCreated;
  }

  /** One that stays, here or by a death before this, is dropped before a journal is deleted for it. @throws why it is deleted */
  private async deleteLate(name: string, begunMs: number, why: unknown): Promise<never> {
    this.listed = null;
    if (Date.now() - begunMs < ALONE_MS) await deleteUnlocked(this.store, name).catch(() => null);
    throw why;
  }

  async drop({ name, form }: ListedSegment): Promise<Date | null> {
    this.open.delete(name);
    this.listed = null;
    return deleteUnlocked(this.store, segmentName({ name, form }));
  }

  /** All entries of a segment, which is read as a whole. @throws `damaged`, `not-found` */
  async entriesOf(segment: ListedSegment): Promise<SegmentEntry[]> {
    return [...(await this.opened(segment)).runs.values()].flat();
  }

  /**
   * Writes the next form of a segment with some commits changed, then deletes the earlier one. Only the form after the one that was read is created.
   * @param check that the lock is held, asked right before the write
   * @throws `locked` where another process wrote that form meanwhile, or a later one
   */
  async replace(segment: ListedSegment, change: (commit: Commit) => Commit, check: () => void): Promise<Replaced> {
    const open = await this.opened(segment);
    const entries: WholeEntry[] = [];
    let changed = 0;
    for (const entry of [...open.runs.values()].flat()) {
      const bytes = bytesOf(open, entry);
      const commit = await orDamaged(this.read(open, entry));
      const after = commit && change(commit);
      if (after !== commit) changed += 1;
      entries.push(after === null || after === commit ? { ...entry, bytes } : await this.nextForm(entry, after));
    }
    if (changed === 0) return { changed, lockedUntil: null };
    check();
    const next = { name: segment.name, form: open.form + 1 };
    const isCreated = await this.store.create(segmentName(next), segmentBytes(entries));
    this.open.delete(segment.name);
    this.listed = null;
    const isLate = isCreated && (await this.lastForm(segment)) > next.form;
    if (isLate) await deleteUnlocked(this.store, segmentName(next));
    if (isLate || !isCreated) throw writtenByAnother(`segment ${segment.name}`);
    return { changed, lockedUntil: await deleteUnlocked(this.store, segmentName(open)) };
  }

  private async lastForm({ name }: ListedSegment): Promise<number> {
    const forms = [0];
    for await (const { name: object } of this.store.list(`${FOLDER}${name}`))
      forms.push(Number(SEGMENT_NAME.exec(object)?.[3] ?? 0));
    return Math.max(...forms);
  }

  /** The objects of a run's commits, by their names, as far as each of them can be read. */
  async commitsOf(segment: ListedSegment, run: string): Promise<ReadonlyMap<number, Commit>> {
    const open = await this.opened(segment);
    const commits = new Map<number, Commit>();
    for (const entry of open.runs.get(run) ?? []) commits.set(entry.sequence, await this.read(open, entry));
    return commits;
  }

  private async segmentOf(run: string): Promise<OpenSegment | null> {
    const { listed } = this;
    const isFresh = listed !== null && performance.now() - listed.atMs < LISTED_MS;
    for (const segment of isFresh ? listed.segments : await this.list()) {
      if (run < segment.first || run > segment.last) continue;
      const open = await orDamaged(this.opened(segment));
      if (open?.runs.has(run)) return open;
    }
    return null;
  }

  private async opened(segment: ListedSegment): Promise<OpenSegment> {
    const known = this.open.get(segment.name);
    this.open.delete(segment.name);
    // One that was read before another process replaced it says more than the one that is listed.
    const isPresent = known !== undefined && known.form >= segment.form;
    const opened = isPresent ? known : await this.inLastForm(segment, (form) => this.readForm(form));
    this.open.set(segment.name, opened);
    for (const name of [...this.open.keys()].slice(0, -OPEN_MAX)) this.open.delete(name);
    return opened;
  }

  private async readForm({ name, form }: ListedSegment): Promise<OpenSegment> {
    const object = segmentName({ name, form });
    const bytes = await this.store.read(object);
    return { name, form, bytes, runs: byRun(directoryOf(object, bytes)) };
  }

  /** An erasure may have put a later form in the place of the one that was listed. */
  private async inLastForm<T>(segment: ListedSegment, read: (form: ListedSegment) => Promise<T>): Promise<T> {
    try {
      return await read(segment);
    } catch (error) {
      const present = isAbsent(error) ? (await this.list()).find(({ name }) => name === segment.name) : undefined;
      if (present === undefined || present.form === segment.form) throw error;
      return read(present);
    }
  }

  private directoryOf(segment: ListedSegment): Promise<SegmentEntry[]> {
    return this.inLastForm(segment, (form) => this.directoryIn(segmentName(form)));
  }

  private async directoryIn(name: string): Promise<SegmentEntry[]> {
    const count = countIn(await this.store.readRange(name, 0, directoryBytes(0)));
    const isPossible = count !== null && directoryBytes(count) <= OBJECT_BYTES_MAX;
    const head = isPossible ? await orDamaged(this.store.readRange(name, 0, directoryBytes(count))) : null;
    const entries = head && readDirectory(head);
    return entries ?? directoryOf(name, await this.store.read(name));
  }

  private async commitOf(segment: OpenSegment, run: string, sequence: number): Promise<Commit | null> {
    const entry = segment.runs.get(run)?.find((one) => one.sequence === sequence);
    return entry === undefined ? null : this.read(segment, entry);
  }

  private async read(segment: OpenSegment, entry: SegmentEntry): Promise<Commit> {
    const { run, sequence, form } = entry;
    const text = await unseal(this.keys.encryption, commitName(run, sequence, form), bytesOf(segment, entry));
    return readCommit(run, sequence, text);
  }

  private async nextForm({ run, sequence, form }: SegmentEntry, commit: Commit): Promise<WholeEntry> {
    const next = form + 1;
    const bytes = await seal(this.keys.encryption, commitName(run, sequence, next), commitText(commit, this.program));
    return { run, sequence, form: next, bytes };
  }
}

export function segmentName({ name, form }: Pick<ListedSegment, 'name' | 'form'>): string {
  return `${FOLDER}${name}${form === 0 ? '' : `-${String(form).padStart(4, '0')}`}`;
}

function bytesOf({ bytes }: OpenSegment, { start, length }: SegmentEntry): Buffer {
  return bytes.subarray(start, start + length);
}

function byRun(entries: readonly SegmentEntry[]): Map<string, SegmentEntry[]> {
  return Map.groupBy(entries, ({ run }) => run);
}

function runsIn(runs: ReadonlyMap<string, readonly SegmentEntry[]>): ListedRun[] {
  return [...runs].map(([run, entries]) => {
    const commits = Math.max(...entries.map(({ sequence }) => sequence));
    return { run, commits, isWhole: entries.length === commits };
  });
}
