import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { OwnedObject } from '../rebuild/object-ownership.ts';
import type { ObjectSection, RunEnd } from '../repository/commit.ts';
import type { Run } from '../repository/repository.ts';
import type { ObjectChanges } from './object-changes.ts';

/** A commit is due when this much waits: what is lost by a kill stays small, and so does the memory. */
const CHANGES_MAX = 5_000;
/** Of text. Readers take no object above 64 MiB, and this is less even where none of it can be compressed. */
const BYTES_MAX = 16 * 2 ** 20;
const SECONDS_MAX = 10;

type CommittedRun = Pick<Run, 'commit' | 'end'>;
interface CommitReader {
  apply(...given: Parameters<RepositoryCatalog['apply']>): Promise<unknown>;
}

/**
 * Gathers the changes of all objects of a run into commits, and applies each to the catalog. Objects that are done wait for the next
 * commit: ten new mails in each of a thousand mailboxes are a few commits, not a thousand.
 */
export class Committer {
  private readonly run: CommittedRun;
  private readonly catalog: CommitReader;
  private readonly now: () => Date;
  private readonly onCommitted: () => Promise<void>;
  private readonly objects = new Map<ObjectChanges, OwnedObject>();
  /** Objects that get no more changes, and what is called when all of one is committed, or will not be. */
  private readonly done = new Map<ObjectChanges, (isCommitted: boolean) => void>();
  /** The current revision of each object that was committed, or existed before and is unchanged. */
  private readonly committed = new Map<string, number>();
  private inFlight: Promise<void> = Promise.resolve();
  private isCommitting = false;
  private hasFailed = false;
  private lastMs: number;

  /** @param onCommitted called after each commit, when what is whole was given back */
  constructor(
    run: CommittedRun,
    catalog: CommitReader,
    now: () => Date,
    onCommitted: () => Promise<void> = async () => undefined,
  ) {
    this.run = run;
    this.catalog = catalog;
    this.now = now;
    this.onCommitted = onCommitted;
    this.lastMs = performance.now();
  }

  /** @param owned given back when all of the object is committed: no other run may continue from a revision that is not */
  join(changes: ObjectChanges, owned: OwnedObject): void {
    this.objects.set(changes, owned);
  }

  /** Nothing of the object was read, and nothing is said of it. */
  drop(changes: ObjectChanges): void {
    this.giveBack(changes);
  }

  /**
   * The object gets no more changes.
   * @param onEnd called when all of it is committed, or when the run ended before that
   */
  async finish(changes: ObjectChanges, onEnd: (isCommitted: boolean) => void = () => undefined): Promise<void> {
    this.done.set(changes, onEnd);
    await this.commitIfDue();
  }

  /** Whether an object is, or will be, in the restore point by what this run read. */
  has(key: string): boolean {
    return (
      this.committed.has(key) ||
      [...this.objects.keys()].some((changes) => changes.key === key && (changes.isKnown || changes.count > 0))
    );
  }

  /** The revision of each object in the restore point; called while the last commit is made. */
  revisions(): [key: string, revision: number][] {
    for (const changes of this.objects.keys()) this.recordRevision(changes);
    return [...this.committed];
  }

  /**
   * Commits when it is time to. Reading goes on while a commit is written and applied; callers wait where the one before is still under
   * way, so that none of them runs further ahead of what is durable.
   * @throws what a commit before failed of
   */
  async commitIfDue(): Promise<void> {
    if (this.hasFailed || (this.isCommitting && this.isDue())) await this.inFlight;
    if (!this.isCommitting && this.isDue()) this.begin((sections) => this.commit(sections));
  }

  private isDue(): boolean {
    let [waiting, bytes] = [0, 0];
    for (const changes of this.objects.keys()) {
      waiting += changes.count;
      bytes += changes.bytes;
    }
    const isLate = performance.now() - this.lastMs > SECONDS_MAX * 1_000;
    return waiting >= CHANGES_MAX || bytes >= BYTES_MAX || (isLate && waiting + this.done.size > 0);
  }

  /** The last commit, which makes the run a restore point. @param end is asked when all revisions are final, and what it gives when all is stored */
  async end(end: () => () => RunEnd): Promise<void> {
    await this.inFlight;
    while (this.isTooMuch()) {
      this.begin((sections) => this.commit(sections));
      await this.inFlight;
    }
    this.begin(async (sections) => {
      await this.catalog.apply(await this.run.end({ sections, end: end() }));
    });
    await this.inFlight;
  }

  /** Whether what waits does not fit into one commit. */
  private isTooMuch(): boolean {
    let bytes = 0;
    for (const changes of this.objects.keys()) bytes += changes.bytes;
    return bytes > BYTES_MAX;
  }

  /** Gives back all objects, whether or not a commit could be made of them. */
  async release(): Promise<void> {
    // The caller that waited for it has received the error.
    await this.inFlight.catch(() => undefined);
    for (const changes of [...this.objects.keys()]) {
      this.giveBack(changes);
      this.done.get(changes)?.(false);
    }
    this.done.clear();
  }

  private async commit(sections: readonly ObjectSection[]): Promise<void> {
    if (sections.length > 0) await this.catalog.apply(await this.run.commit({ sections }));
  }

  /** One commit at a time, of all that waits at this moment and fits. After a failure there is no other: the run is over. */
  private begin(work: (sections: ObjectSection[]) => Promise<void>): void {
    this.isCommitting = true;
    this.inFlight = this.commitDue(work);
    this.inFlight.then(
      () => {
        this.isCommitting = false;
      },
      () => {
        this.hasFailed = true;
      },
    );
  }

  private async commitDue(work: (sections: ObjectSection[]) => Promise<void>): Promise<void> {
    this.lastMs = performance.now();
    const objects = [...this.objects.keys()];
    const done = [...this.done.keys()];
    await work(this.sectionsOf(objects));
    for (const changes of objects) changes.wereApplied();
    for (const changes of done) if (changes.count === 0) this.leave(changes);
    await this.onCommitted();
  }

  private sectionsOf(objects: readonly ObjectChanges[]): ObjectSection[] {
    const due = objects.filter((changes) => changes.count > 0 || this.done.has(changes));
    let left = BYTES_MAX;
    return due.flatMap((changes) => {
      if (left <= 0) return [];
      const before = changes.bytes;
      const section = changes.nextSection(this.now(), left);
      left -= before - changes.bytes;
      return section ?? [];
    });
  }

  private leave(changes: ObjectChanges): void {
    const onEnd = this.done.get(changes);
    this.done.delete(changes);
    this.recordRevision(changes);
    this.giveBack(changes);
    onEnd?.(true);
  }

  private giveBack(changes: ObjectChanges): void {
    const owned = this.objects.get(changes);
    this.objects.delete(changes);
    owned?.release(changes.revision);
  }

  private recordRevision({ key, revision, isKnown }: ObjectChanges): void {
    if (isKnown) this.committed.set(key, revision);
  }
}
