import { setTimeout } from 'node:timers/promises';
import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectClaim, Repository, Run } from '../repository/repository.ts';
import { catchUp } from './catch-up.ts';
import { closeDeadRuns } from './close-dead-runs.ts';

/** How often, and how long apart, it is looked whether a later run gives way that claimed the object at the same moment. */
const LOOKS = 20;
const LOOK_MS = 100;

/** An object that no other run writes until it is given back, and of which the catalog knows all that was written. */
export interface OwnedObject {
  /** The revision at which it was given back last, where no journal contains that one: commits were lost. */
  readonly lostRevision: number | null;
  /** Never fails: a claim that was left counts as long as its run lives. */
  release(revision: number): Promise<void>;
}

/**
 * Makes objects a run's own, whichever machine and whichever catalog other runs work with: what counts is in the store (format, 9).
 */
export class ObjectOwnership {
  private readonly repository: Repository;
  private readonly catalog: RepositoryCatalog;
  private readonly run: Run;
  private readonly onDoubled: (doubled: readonly DoubledRevision[]) => void;
  /** The journals are followed for one object at a time. */
  private following: Promise<void> = Promise.resolve();

  constructor(
    repository: Repository,
    catalog: RepositoryCatalog,
    run: Run,
    onDoubled: (doubled: readonly DoubledRevision[]) => void,
  ) {
    this.repository = repository;
    this.catalog = catalog;
    this.run = run;
    this.onDoubled = onDoubled;
  }

  /** @throws `locked` while another run has the object */
  async own(key: string): Promise<OwnedObject> {
    const claim = await this.run.claimObject(key);
    try {
      const revision = await this.waitForSoleClaim(claim);
      if (revision > (await this.revisionOf(key))) await this.follow();
      const lostRevision = revision > (await this.revisionOf(key)) ? revision : null;
      return { lostRevision, release: (at) => claim.release(at).catch(() => undefined) };
    } catch (error) {
      await claim.withdraw().catch(() => undefined);
      throw error;
    }
  }

  /** @returns the revision at which the object was given back last */
  private async waitForSoleClaim(claim: ObjectClaim): Promise<number> {
    for (let look = 0; ; look += 1) {
      const { others, revision } = await claim.look();
      if (others.length === 0) return revision;
      const living = await this.repository.livingRuns();
      const dead = others.filter((run) => !living.has(run));
      if (dead.length > 0) await this.closeDeadClaims(claim, dead);
      // Of two that came at once the later one gives way; one that was here before does not.
      const before = others.filter((run) => living.has(run) && (run < this.run.id || look === LOOKS));
      if (before.length > 0) throw occupied();
      if (dead.length < others.length) await setTimeout(LOOK_MS);
    }
  }

  /** What dead runs wrote is read, and nothing can follow it: then what they claimed is free. */
  private async closeDeadClaims(claim: ObjectClaim, dead: readonly string[]): Promise<void> {
    await this.follow();
    for (const run of dead) await claim.forget(run);
  }

  private follow(): Promise<void> {
    const following = this.following.then(async () => {
      const { doubled } = await catchUp(this.repository, this.catalog);
      this.onDoubled(doubled);
      await closeDeadRuns(this.repository, this.catalog, this.run.id);
    });
    this.following = following.catch(() => undefined);
    return following;
  }

  private revisionOf(key: string): Promise<number> {
    return this.catalog.revisionOf(key);
  }
}

function occupied(): EngineError {
  return new EngineError(
    'locked',
    'Another run is working on this object. It is processed again when that run has ended.',
    { isRetryable: true },
  );
}
