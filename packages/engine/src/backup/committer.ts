import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { RunEnd } from '../repository/commit.ts';
import type { Run } from '../repository/repository.ts';
import type { ObjectChanges } from './object-changes.ts';

/** A commit is due when this much waits: what is lost by a kill stays small, and so does the memory. */
const CHANGES_MAX = 5_000;
const SECONDS_MAX = 10;

/** Gathers the changes of all objects of a run into commits, and tells the catalog of each. */
export class Committer {
  private readonly run: Run;
  private readonly catalog: RepositoryCatalog;
  private readonly now: () => Date;
  private readonly objects = new Set<ObjectChanges>();
  private under: Promise<void> = Promise.resolve();
  private lastMs: number;

  constructor(run: Run, catalog: RepositoryCatalog, now: () => Date) {
    this.run = run;
    this.catalog = catalog;
    this.now = now;
    this.lastMs = performance.now();
  }

  join(changes: ObjectChanges): void {
    this.objects.add(changes);
  }

  /** Commits when it is time to. Callers wait, so that none of them runs ahead of what is durable. */
  async commitIfDue(): Promise<void> {
    const waiting = [...this.objects].reduce((sum, changes) => sum + changes.count, 0);
    const isLate = performance.now() - this.lastMs > SECONDS_MAX * 1_000;
    if (waiting >= CHANGES_MAX || (isLate && waiting > 0)) await this.commit();
  }

  commit(): Promise<void> {
    return this.after(async (objects) => {
      const sections = this.sectionsOf(objects);
      if (sections.length === 0) return;
      await this.catalog.apply(await this.run.commit({ sections }));
    });
  }

  /** The last commit, which makes the run a restore point. @param end is asked when all revisions are final */
  end(end: () => RunEnd): Promise<void> {
    return this.after(async (objects) => {
      const sections = this.sectionsOf(objects);
      await this.catalog.apply(await this.run.end({ sections, end: end() }));
    });
  }

  private sectionsOf(objects: readonly ObjectChanges[]) {
    return objects.map((changes) => changes.take(this.now())).filter((section) => section !== null);
  }

  /** One commit at a time, in order. After a failure there is no other: the run is over. */
  private after(work: (objects: readonly ObjectChanges[]) => Promise<void>): Promise<void> {
    const next = this.under.then(async () => {
      this.lastMs = performance.now();
      const objects = [...this.objects];
      await work(objects);
      for (const changes of objects) changes.applied();
    });
    next.catch(() => undefined);
    this.under = next;
    return next;
  }
}
