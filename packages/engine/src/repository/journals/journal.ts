import type { CommitRange } from '../../model/accepted-losses.ts';
import { EngineError } from '../../model/engine-error.ts';
import { inOrder } from '../../model/in-order.ts';
import { laterOf } from '../../model/later-of.ts';
import { orDamaged } from '../../model/or-damaged.ts';
import { hasObject, isAbsent } from '../../store/has-object.ts';
import { OBJECT_BYTES_MAX, type ObjectStore } from '../../store/object-store.ts';
import { type Commit, emptyCommit } from '../commit.ts';
import type { RepositoryKeys } from '../keys.ts';
import { COMMIT_NAME } from '../object-names.ts';
import type { ListedJournal, ListedRun, ListedSegment, LivingLock, Replaced, ReplacedCommits } from '../repository.ts';
import { seal, unseal } from '../sealed.ts';
import { commitName, deleteReplaced, deleteUnlocked, formsOf, writtenByAnother } from './journal-forms.ts';
import { commitText, readCommit } from './journal-lines.ts';
import { OutdatedSegments } from './outdated-segments.ts';
import type { WholeEntry } from './segment-layout.ts';
import { Segments } from './segments.ts';

const READ_AT_ONCE = 16;
/** So many of a gap are asked for, as a list may be late; where none is there, the gap is one to its end. */
const ASKED_IN_A_ROW = 32;

/** Journals in a store: commits that are created only where none is (format, 6). */
export class Journals {
  private readonly store: ObjectStore;
  private readonly keys: RepositoryKeys;
  private readonly program: string;
  readonly segments: Segments;
  readonly outdated: OutdatedSegments;

  constructor(store: ObjectStore, keys: RepositoryKeys, program: string) {
    this.store = store;
    this.keys = keys;
    this.program = program;
    this.segments = new Segments(store, keys, program);
    this.outdated = new OutdatedSegments(this.segments, (...place) => this.readForm(...place));
  }

  /** @returns `false` when another commit has that place. A repeated request whose first answer was lost counts as done. */
  append(commit: Commit): Promise<boolean> {
    return this.write(commit, commitName(commit.run, commit.sequence));
  }

  private async write(commit: Commit, name: string): Promise<boolean> {
    const bytes = await seal(this.keys.encryption, name, commitText(commit, this.program));
    if (bytes.length > OBJECT_BYTES_MAX)
      throw new EngineError(
        'store-refused',
        `Commit ${commit.sequence} of run ${commit.run} would have ${bytes.length} bytes; objects are read up to ${OBJECT_BYTES_MAX} bytes. It was not written; please report it.`,
      );
    return (await this.store.create(name, bytes)) || (await this.store.read(name)).equals(bytes);
  }

  /** Any of the forms that are there: a later one says the same, but for what was erased. */
  private async read(run: string, sequence: number): Promise<Commit> {
    try {
      return await this.readForm(run, sequence, 0);
    } catch (error) {
      const form = isAbsent(error) ? (await formsOf(this.store, run, sequence)).at(-1) : undefined;
      if (form === undefined) throw error;
      return this.readForm(run, sequence, form);
    }
  }

  private async readForm(run: string, sequence: number, form: number): Promise<Commit> {
    const name = commitName(run, sequence, form);
    return readCommit(run, sequence, await unseal(this.keys.encryption, name, await this.store.read(name)));
  }

  /**
   * Writes the next form of a commit, made of the last one, then deletes the earlier ones. Only the form after the one that was read is created: who
   * stood still meanwhile, while others took out more, finds theirs in its place.
   * @param check that the lock is held, asked right before the write
   * @returns `null` where no form of it can be read
   * @throws `locked` where another process wrote that form meanwhile, or a later one: it may say more than this one, or less
   */
  async replace(
    run: string,
    sequence: number,
    change: (commit: Commit) => Commit,
    check: () => void,
  ): Promise<Replaced | null> {
    const last = await this.readLast(run, sequence);
    if (last === null) return null;
    const commit = change(last.commit);
    if (commit === last.commit) return { changed: 0, lockedUntil: null };
    check();
    const next = last.form + 1;
    const isCreated = await this.write(commit, commitName(run, sequence, next));
    const forms = isCreated ? await formsOf(this.store, run, sequence) : [];
    const isLate = isCreated && (await this.isLate(run, sequence, next, forms));
    // What it says is elsewhere, where it may say less.
    if (isLate) await deleteUnlocked(this.store, commitName(run, sequence, next));
    if (isLate || !isCreated) throw writtenByAnother(`commit ${sequence} of run ${run}`);
    let until: Date | null = null;
    for (const form of forms.filter((one) => one < next))
      until = laterOf(until, await deleteUnlocked(this.store, commitName(run, sequence, form)));
    return { changed: 1, lockedUntil: until };
  }

  /** Whether others went on meanwhile from the form before this one: a later form is there, or that one went after its run came into a segment. */
  private async isLate(run: string, sequence: number, next: number, forms: readonly number[]): Promise<boolean> {
    if (forms.some((form) => form > next)) return true;
    if (forms.includes(next - 1)) return false;
    await this.segments.list();
    return this.segments.has(run, sequence);
  }

  deleteReplaced(signal?: AbortSignal): Promise<ReplacedCommits> {
    return deleteReplaced(this.store, signal);
  }

  /** `null` when there is no such commit, as an object of its own or in a segment. */
  async find(run: string, sequence: number): Promise<Commit | null> {
    const open = await this.segments.findOpen(run, sequence);
    if (open !== undefined) return open;
    return (await this.findOwn(run, sequence)) ?? this.segments.find(run, sequence);
  }

  /** The same of commits that are objects of their own. */
  async findOwn(run: string, sequence: number): Promise<Commit | null> {
    try {
      return await this.read(run, sequence);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  /**
   * The number of the form that says least, and what it says, or else what one before it says; another program may write one after it meanwhile, and
   * delete this one. `null` where none can be read.
   */
  private async readLast(run: string, sequence: number): Promise<{ form: number; commit: Commit } | null> {
    for (;;) {
      const forms = await formsOf(this.store, run, sequence);
      const last = forms.at(-1);
      if (last === undefined) return null;
      for (const form of forms.toReversed()) {
        const commit = await orDamaged(this.readForm(run, sequence, form));
        if (commit !== null) return { form: last, commit };
      }
      if ((await formsOf(this.store, run, sequence)).at(-1) === last) return null;
    }
  }

  /** Whether there is such a commit, without reading it. */
  async has(run: string, sequence: number): Promise<boolean> {
    if (await hasObject(this.store, commitName(run, sequence))) return true;
    return (await formsOf(this.store, run, sequence)).length > 0 || this.segments.has(run, sequence);
  }

  /** Commits before a listed one that are in no place. Names say any number, so that they are not counted up to it. */
  async missing(run: string, listed: number): Promise<CommitRange[]> {
    const missing: CommitRange[] = [];
    let next = 1;
    for (const sequence of [...(await this.sequencesOf(run)).filter((one) => one < listed), listed]) {
      if (next < sequence) missing.push(...(await this.missingIn(run, next, sequence - 1)));
      next = sequence + 1;
    }
    return missing;
  }

  private async missingIn(run: string, first: number, last: number): Promise<CommitRange[]> {
    const missing: CommitRange[] = [];
    let from = first;
    for (let sequence = first; sequence <= last && sequence < from + ASKED_IN_A_ROW; sequence += 1) {
      if (!(await this.has(run, sequence))) continue;
      if (from < sequence) missing.push([from, sequence - 1]);
      from = sequence + 1;
    }
    return from <= last ? [...missing, [from, last]] : missing;
  }

  /** Of all commits of a run that are listed, in their order. */
  private async sequencesOf(run: string): Promise<number[]> {
    const sequences = new Set<number>(await this.segments.sequencesOf(run));
    for await (const { name } of this.store.list(`journals/${run}/`)) {
      const [, , sequence] = COMMIT_NAME.exec(name) ?? [];
      if (sequence !== undefined) sequences.add(Number(sequence));
    }
    return [...sequences].sort((one, other) => one - other);
  }

  /** Runs with objects of their own in the order of their ids, with the sequence of the last commit each has, and whether all before it are there. */
  async *list(): AsyncGenerator<ListedRun> {
    for await (const { run, commits, isWhole } of this.journals()) yield { run, commits, isWhole };
  }

  /** The same with the objects of each. */
  async *journals(): AsyncGenerator<ListedJournal> {
    let journal: ListedJournal | null = null;
    for await (const { name, sizeBytes, createdAt } of this.store.list('journals/')) {
      const [, run = '', sequence = ''] = COMMIT_NAME.exec(name) ?? [];
      // Any other object in the folder was put there by another program.
      if (run === '') continue;
      if (journal !== null && journal.run !== run) yield journal;
      const before: ListedJournal = journal?.run === run ? journal : newJournal(run, createdAt);
      // Several forms of one commit count once.
      const stored = before.stored + (before.commits === Number(sequence) ? 0 : 1);
      journal = {
        run,
        commits: Number(sequence),
        stored,
        isWhole: stored === Number(sequence),
        names: [...before.names, name],
        sizeBytes: before.sizeBytes + sizeBytes,
        createdAt: new Date(Math.max(before.createdAt.getTime(), createdAt.getTime())),
      };
    }
    if (journal !== null) yield journal;
  }

  /** The objects of a journal as a segment takes them: of several forms the last. */
  private async entriesOf({ run, names }: Pick<ListedJournal, 'run' | 'names'>): Promise<WholeEntry[]> {
    const entries = new Map<number, WholeEntry>();
    for (const name of names) {
      const [, , sequence, form = '0'] = COMMIT_NAME.exec(name) ?? [];
      const bytes = await this.store.read(name);
      entries.set(Number(sequence), { run, sequence: Number(sequence), form: Number(form), bytes });
    }
    return [...entries.values()];
  }

  /**
   * Reads on behind `after`, and appends the closing commit in the first free place.
   * @throws `damaged` when the commit `after` is not there: the closing one would come after a gap
   */
  async close(run: string, after: number, by: string): Promise<Commit[]> {
    if (after > 0 && !(await this.has(run, after)))
      throw new EngineError(
        'damaged',
        `Commit ${after} of run ${run} is not in ${this.store.description}, so its journal cannot be closed. Bring it back from a copy of the repository.`,
      );
    const commits: Commit[] = [];
    for (let sequence = after + 1; ; sequence += 1) {
      const closing: Commit = { ...emptyCommit(run, sequence), closedBy: by };
      // Looked for first: a later form of a commit does not prevent the creation of the first one.
      const there = await this.find(run, sequence);
      if (there === null && (await this.append(closing))) return [...commits, closing];
      const found = there ?? (await this.read(run, sequence));
      commits.push(found);
      if (found.end !== null || found.closedBy !== null) return commits;
    }
  }

  async createSegment(journals: readonly ListedJournal[], lock: LivingLock): Promise<boolean> {
    const entries: WholeEntry[] = [];
    for await (const some of inOrder(listed(journals), READ_AT_ONCE, (journal) => this.entriesOf(journal)))
      entries.push(...some);
    return this.segments.create(entries, lock);
  }

  async deleteSegmented(segment: ListedSegment, journal: ListedJournal): Promise<Date | null> {
    const commits = await this.segments.commitsOf(segment, journal.run);
    const isEnded = [...commits.values()].some(({ end }) => end !== null);
    if (isEnded && commits.size >= journal.commits) return this.delete(journal);
    throw new EngineError(
      'damaged',
      `The segment ${segment.name} does not have all commits of run ${journal.run}, so its journal was not deleted.`,
    );
  }

  /** Deletes the objects of a run, which a segment has. @returns until when one of them stays; `null`: all are gone */
  private async delete({ names }: Pick<ListedJournal, 'names'>): Promise<Date | null> {
    let until: Date | null = null;
    // From the back, so that what is left after a crash is a journal without its end, never one with a gap.
    for (const name of names.toReversed()) until = laterOf(until, await deleteUnlocked(this.store, name));
    return until;
  }
}

async function* listed<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

function newJournal(run: string, createdAt: Date): ListedJournal {
  return { run, commits: 0, stored: 0, isWhole: true, names: [], sizeBytes: 0, createdAt };
}
