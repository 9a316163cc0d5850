import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { Commit, RunHeader } from '../repository/commit.ts';
import type { Repository } from '../repository/repository.ts';

/** A run whose commits are to be applied: what the catalog has of it, and the last one that the store lists (0: not asked). */
interface RunToApply {
  run: string;
  applied: number;
  listed: number;
  kind?: RunHeader['kind'];
}

/**
 * Applies what the catalog does not have of some runs. Runs overlap: a commit waits until the revisions it follows are there, whichever
 * run brings them (format, 6). Memory holds the revisions of all objects, and one commit of each run that waits.
 */
export class RunApplier {
  commits = 0;
  restorePoints = 0;
  /** Revisions that two runs brought, neither knowing of the other; both are kept. */
  readonly doubled: DoubledRevision[] = [];
  private readonly repository: Repository;
  private readonly catalog: RepositoryCatalog;
  private readonly onCommit: () => void;
  private readonly revisions = new Map<string, number>();
  /** Runs that wait for an object to come to a revision. */
  private readonly waiting = new Map<string, { at: RunToApply; commit: Commit }[]>();

  constructor(repository: Repository, catalog: RepositoryCatalog, onCommit: () => void = () => undefined) {
    this.repository = repository;
    this.catalog = catalog;
    this.onCommit = onCommit;
  }

  /** Applies as much of a run as can be, and what waited for it. @throws `damaged` for a journal with a gap */
  async take(run: RunToApply): Promise<void> {
    const ready: { at: RunToApply; commit: Commit | null }[] = [{ at: run, commit: null }];
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
      const { at } = next;
      let commit = next.commit ?? (await this.next(at));
      while (commit !== null && !(await this.waits(at, commit))) {
        ready.push(...(await this.apply(at, commit)));
        commit = await this.next(at);
      }
    }
  }

  /** @throws `damaged` when a run still waits for a revision that nobody brought */
  finish(): void {
    for (const [missing, runs] of this.waiting) {
      const commits = runs.map(({ commit }) => `commit ${commit.sequence} of run ${commit.run}`).join(', ');
      const [key, revision] = missing.split(' ');
      throw new EngineError(
        'damaged',
        `Revision ${revision} of the object ${key} is in no journal, and ${commits} builds on it: a commit was lost. Bring the journals of the repository back from a copy.`,
      );
    }
  }

  private async next({ run, applied, listed }: RunToApply): Promise<Commit | null> {
    const commit = await this.repository.findCommit(run, applied + 1);
    if (commit !== null || applied >= listed) return commit;
    throw new EngineError(
      'damaged',
      `Commit ${applied + 1} of run ${run} is missing, although commit ${listed} is there. What the run stored after it cannot be trusted; bring the journals of the repository back from a copy.`,
    );
  }

  private async waits(at: RunToApply, commit: Commit): Promise<boolean> {
    const own = new Map<string, number>();
    for (const { key, revision } of commit.sections) {
      if (revision > (own.get(key) ?? (await this.revisionOf(key))) + 1)
        return this.wait(key, revision - 1, at, commit);
      own.set(key, revision);
    }
    for (const [key, revision] of commit.end?.objects ?? [])
      if (revision > (own.get(key) ?? (await this.revisionOf(key)))) return this.wait(key, revision, at, commit);
    return false;
  }

  private wait(key: string, revision: number, at: RunToApply, commit: Commit): true {
    const missing = `${key} ${revision}`;
    this.waiting.set(missing, [...(this.waiting.get(missing) ?? []), { at, commit }]);
    return true;
  }

  /** @returns the runs that waited for it */
  private async apply(at: RunToApply, commit: Commit) {
    const doubled = await this.catalog.apply(commit);
    this.doubled.push(...doubled);
    at.applied = commit.sequence;
    at.kind ??= commit.header?.kind;
    this.commits += 1;
    if (commit.end !== null && at.kind === 'backup') this.restorePoints += 1;
    this.onCommit();
    const keptAs = new Map(doubled.map((one) => [`${one.object} ${one.revision}`, one.keptAs]));
    return commit.sections.flatMap(({ key, revision }) => {
      const brought = keptAs.get(`${key} ${revision}`) ?? revision;
      this.revisions.set(key, Math.max(brought, this.revisions.get(key) ?? 0));
      return this.awakened(`${key} ${brought}`);
    });
  }

  private awakened(missing: string) {
    const runs = this.waiting.get(missing) ?? [];
    this.waiting.delete(missing);
    return runs;
  }

  private async revisionOf(key: string): Promise<number> {
    const known = this.revisions.get(key);
    if (known !== undefined) return known;
    const revision = (await this.catalog.object(key))?.revision ?? 0;
    this.revisions.set(key, revision);
    return revision;
  }
}
