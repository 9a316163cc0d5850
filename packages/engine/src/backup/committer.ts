import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { ObjectSection, RunEnd } from '../repository/commit.ts';
import type { Run } from '../repository/repository.ts';
import type { HeldLease } from './lease.ts';
import type { ObjectChanges } from './object-changes.ts';

/** A commit is due when this much waits: what is lost by a kill stays small, and so does the memory. */
const CHANGES_MAX = 5_000;
const SECONDS_MAX = 10;

/**
 * Gathers the changes of all objects of a run into commits, and tells the catalog of each. Objects that are done wait for the next
 * commit: ten new mails in each of a thousand mailboxes are a few commits, not a thousand.
 */
export class Committer {
  private readonly run: Run;
  private readonly catalog: RepositoryCatalog;
  private readonly now: () => Date;
  private readonly objects = new Map<ObjectChanges, HeldLease>();
  /** Objects that get no more changes. */
  private readonly done = new Set<ObjectChanges>();
  /** Where each object stands that was committed, or was there before and is unchanged. */
  private readonly committed = new Map<string, number>();
  private under: Promise<void> = Promise.resolve();
  private lastMs: number;

  constructor(run: Run, catalog: RepositoryCatalog, now: () => Date) {
    this.run = run;
    this.catalog = catalog;
    this.now = now;
    this.lastMs = performance.now();
  }

  /** @param lease given back when all of the object is committed: nobody may go on before from a revision that is not */
  join(changes: ObjectChanges, lease: HeldLease): void {
    this.objects.set(changes, lease);
  }

  /** Nothing of the object was read, and nothing is said of it. */
  async drop(changes: ObjectChanges): Promise<void> {
    const lease = this.objects.get(changes);
    this.objects.delete(changes);
    await lease?.release();
  }

  /** The object gets no more changes. */
  async finish(changes: ObjectChanges): Promise<void> {
    this.done.add(changes);
    await this.commitIfDue();
  }

  /** The revision at which each object stands in the restore point; asked for while the last commit is made. */
  revisions(): [key: string, revision: number][] {
    for (const [changes, lease] of this.objects) if (!lease.lost.aborted) this.stands(changes);
    return [...this.committed];
  }

  /** Commits when it is time to. Callers wait, so that none of them runs ahead of what is durable. */
  async commitIfDue(): Promise<void> {
    let waiting = 0;
    for (const { count } of this.objects.keys()) waiting += count;
    const isLate = performance.now() - this.lastMs > SECONDS_MAX * 1_000;
    if (waiting >= CHANGES_MAX || (isLate && waiting + this.done.size > 0)) await this.commit();
  }

  /** The last commit, which makes the run a restore point. @param end is asked when all revisions are final */
  end(end: () => RunEnd): Promise<void> {
    return this.after(async (sections) => this.catalog.apply(await this.run.end({ sections, end: end() })));
  }

  /** Gives back all objects, whether or not a commit could be made of them. */
  async release(): Promise<void> {
    const leases = [...this.objects.values()];
    this.objects.clear();
    for (const lease of leases) await lease.release();
  }

  private commit(): Promise<void> {
    return this.after(async (sections) => {
      if (sections.length > 0) await this.catalog.apply(await this.run.commit({ sections }));
    });
  }

  /** One commit at a time, in order. After a failure there is no other: the run is over. */
  private after(work: (sections: ObjectSection[]) => Promise<void>): Promise<void> {
    const next = this.under.then(async () => {
      this.lastMs = performance.now();
      const objects = [...this.objects];
      const done = [...this.done];
      await work(this.sectionsOf(objects));
      for (const [changes] of objects) changes.applied();
      for (const changes of done) await this.leave(changes);
    });
    next.catch(() => undefined);
    this.under = next;
    return next;
  }

  /** Of an object whose lease ran out nothing is committed any more: another run may be at its next revision. */
  private sectionsOf(objects: readonly (readonly [ObjectChanges, HeldLease])[]): ObjectSection[] {
    const due = objects.filter(([changes, { lost }]) => !lost.aborted && (changes.count > 0 || this.done.has(changes)));
    return due.map(([changes]) => changes.take(this.now())).filter((section) => section !== null);
  }

  private async leave(changes: ObjectChanges): Promise<void> {
    const lease = this.objects.get(changes);
    this.objects.delete(changes);
    this.done.delete(changes);
    this.stands(changes);
    await lease?.release();
  }

  private stands({ key, revision }: ObjectChanges): void {
    if (revision > 0) this.committed.set(key, revision);
  }
}
