import { EngineError } from '../model/engine-error.ts';
import { OBJECT_BYTES_MAX, type ObjectStore } from '../store/object-store.ts';
import { type Commit, emptyCommit } from './commit.ts';
import { commitText, readCommit } from './journal-lines.ts';
import type { RepositoryKeys } from './keys.ts';
import { COMMIT_NAME } from './object-names.ts';
import type { ListedRun } from './repository.ts';
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
  async append(commit: Commit): Promise<boolean> {
    const name = commitName(commit.run, commit.sequence);
    const bytes = await seal(this.keys.encryption, name, commitText(commit, this.program));
    if (bytes.length > OBJECT_BYTES_MAX)
      throw new EngineError(
        'store-refused',
        `Commit ${commit.sequence} of run ${commit.run} would have ${bytes.length} bytes; objects are read up to ${OBJECT_BYTES_MAX} bytes. It was not written; please report it.`,
      );
    return (await this.store.create(name, bytes)) || (await this.store.read(name)).equals(bytes);
  }

  async read(run: string, sequence: number): Promise<Commit> {
    const name = commitName(run, sequence);
    return readCommit(run, sequence, await unseal(this.keys.encryption, name, await this.store.read(name)));
  }

  /** `null` when there is no such commit. */
  async find(run: string, sequence: number): Promise<Commit | null> {
    try {
      return await this.read(run, sequence);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'not-found') return null;
      throw error;
    }
  }

  /** Whether there is such a commit, without reading it. */
  async has(run: string, sequence: number): Promise<boolean> {
    try {
      await this.store.readRange(commitName(run, sequence), 0, 0);
      return true;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'not-found') return false;
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
      run = of;
      commits = Number(sequence);
      stored += 1;
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
      if (await this.append(closing)) return [...commits, closing];
      const found = await this.read(run, sequence);
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

export function commitName(run: string, sequence: number): string {
  return `journals/${run}/${String(sequence).padStart(8, '0')}`;
}
