import { EngineError } from '../model/engine-error.ts';
import { laterOf } from '../model/later-of.ts';
import { OBJECT_BYTES_MAX, type ObjectStore } from '../store/object-store.ts';
import { type Commit, emptyCommit } from './commit.ts';
import { commitName, deleteReplaced, deleteUnlocked, formsOf, isAbsent } from './journal-forms.ts';
import { commitText, readCommit } from './journal-lines.ts';
import type { RepositoryKeys } from './keys.ts';
import { COMMIT_NAME } from './object-names.ts';
import type { ListedRun, ReplacedCommits } from './repository.ts';
import { seal, unseal } from './sealed.ts';

/** Journals in a store: commits that are created only where none is (format, 6). */
export class Journals {
  private readonly store: ObjectStore;
  private readonly keys: RepositoryKeys;
  private readonly program: string;

  constructor(store: ObjectStore, keys: RepositoryKeys, program: string) {
    this.store = store;
    this.keys = keys;
    this.program = program;
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
  async read(run: string, sequence: number): Promise<Commit> {
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

  /** Writes a later form of a commit, then deletes the earlier ones. @returns until when one of them stays; `null`: all are gone */
  async replace(commit: Commit): Promise<Date | null> {
    const { run, sequence } = commit;
    const forms = await formsOf(this.store, run, sequence);
    await this.write(commit, commitName(run, sequence, (forms.at(-1) ?? 0) + 1));
    let until: Date | null = null;
    for (const form of forms) until = laterOf(until, await deleteUnlocked(this.store, commitName(run, sequence, form)));
    return until;
  }

  deleteReplaced(signal?: AbortSignal): Promise<ReplacedCommits> {
    return deleteReplaced(this.store, signal);
  }

  /** `null` when there is no such commit. */
  async find(run: string, sequence: number): Promise<Commit | null> {
    try {
      return await this.read(run, sequence);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  /** The form that says least; another program may write one after it meanwhile, and delete this one. `null` when there is no such commit. */
  async findLastForm(run: string, sequence: number): Promise<Commit | null> {
    for (let before = -1; ; ) {
      const form = (await formsOf(this.store, run, sequence)).at(-1);
      if (form === undefined) return null;
      try {
        return await this.readForm(run, sequence, form);
      } catch (error) {
        if (!isAbsent(error) || form === before) throw error;
        before = form;
      }
    }
  }

  /** Whether there is such a commit, without reading it. */
  async has(run: string, sequence: number): Promise<boolean> {
    try {
      await this.store.readRange(commitName(run, sequence), 0, 0);
      return true;
    } catch (error) {
      if (isAbsent(error)) return (await formsOf(this.store, run, sequence)).length > 0;
      throw error;
    }
  }

  /** Runs in the order of their ids, with the sequence of the last commit each has, and whether all before it are there. */
  async *list(after = ''): AsyncGenerator<ListedRun> {
    let run = '';
    let commits = 0;
    let stored = 0;
    for await (const { name } of this.store.list('journals/')) {
      const [, of = '', sequence = ''] = COMMIT_NAME.exec(name) ?? [];
      // Any other object in the folder was put there by another program.
      if (of <= after) continue;
      if (of !== run) {
        if (run !== '') yield { run, commits, isWhole: stored === commits };
        stored = 0;
      }
      // Several forms of one commit count once.
      if (of !== run || Number(sequence) !== commits) stored += 1;
      run = of;
      commits = Number(sequence);
    }
    if (run !== '') yield { run, commits, isWhole: stored === commits };
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

  async delete(run: string): Promise<void> {
    const names: string[] = [];
    for await (const { name } of this.store.list(`journals/${run}/`)) names.push(name);
    // From the back, so that what is left after a crash is a journal without its end, never one with a gap.
    for (const name of names.reverse()) await this.store.delete(name);
  }
}
