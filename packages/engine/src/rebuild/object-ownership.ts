import { setTimeout } from 'node:timers/promises';
import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ClaimingRun, EndedRun, OtherRuns, Repository, Run } from '../repository/repository.ts';
import { catchUp } from './catch-up.ts';
import { closeDeadRuns } from './close-dead-runs.ts';
import { forgetEnded } from './ended-runs.ts';

/** How often, and how long apart, it is looked whether a later run gives way that claimed an object at the same moment. */
const LOOKS = 20;
const LOOK_MS = 100;
/** So long at most an object that was given back looks claimed. */
const GIVEN_BACK_MS = 30_000;
/** What says how a run ended stays longer than this: who follows the journals as often misses none of it (format, 8). */
const FOLLOW_MS = 30 * 60_000;

/** An object that no other run writes until it is given back, and of which the catalog knows all that was written. */
export interface OwnedObject {
  /** The revision at which it was given back last, where no journal contains that one: commits were lost. */
  readonly lostRevision: number | null;
  /** Other runs may have it when the claims of this run are written again. */
  release(revision: number): void;
}

/**
 * Makes objects a run's own, whichever machine and whichever catalog other runs work with: what counts is in the store (format, 8). A run has
 * one object there with all that it claims.
 */
export class ObjectOwnership {
  private readonly repository: Repository;
  private readonly catalog: RepositoryCatalog;
  private readonly run: Run;
  private readonly onDoubled: (doubled: readonly DoubledRevision[]) => void;
  /** Objects that were asked for, and which are not claimed yet. */
  private readonly waiting = new Map<string, PromiseWithResolvers<OwnedObject>>();
  private readonly asked = new Map<string, Promise<OwnedObject>>();
  private readonly held = new Set<string>();
  private readonly givenBack = new Map<string, number>();
  /** Runs whose last commits are lost, with the revisions that they had. */
  private readonly lost = new Map<EndedRun, Map<string, number>>();
  private hasGivenBack = false;
  private writtenMs = 0;
  private followedMs = performance.now();
  /** The claims change one at a time. */
  private turn: Promise<void> = Promise.resolve();

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

  /** Claims objects that will be worked on soon, all at once. */
  claim(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.asked.has(key)) continue;
      const owned = Promise.withResolvers<OwnedObject>();
      // Who works on the object gets the failure.
      owned.promise.catch(() => undefined);
      this.waiting.set(key, owned);
      this.asked.set(key, owned.promise);
    }
    void this.inTurn(() => this.claimWaiting());
  }

  /** @throws `locked` while another run has the object */
  async own(key: string): Promise<OwnedObject> {
    if (!this.asked.has(key)) this.claim([key]);
    const owned = this.asked.get(key);
    this.asked.delete(key);
    if (owned === undefined) throw new Error(`The object ${key} was not claimed.`);
    return owned;
  }

  /** Shows to others what was given back, if that is not known to them for long. A failure only keeps them waiting. */
  async giveBack(): Promise<void> {
    if (!this.hasGivenBack || performance.now() - this.writtenMs < GIVEN_BACK_MS) return;
    await this.inTurn(() => this.write()).catch(() => undefined);
  }

  /** Gives everything back when the run has ended. Never fails: claims that were left count as long as the run lives. */
  async end(): Promise<void> {
    await this.turn;
    if (this.run.hasFailed) return;
    try {
      await this.run.claims.end(this.run.lastSequence, [...this.givenBack]);
      if (this.writtenMs > 0) await forgetEnded(this.run.claims, this.catalog, this.lost, this.givenBack);
    } catch {
      // The next run finds the claims of one that lives no more, and how it ended in the journal.
    }
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  /** Never fails: those who wait get the failure. */
  private async claimWaiting(): Promise<void> {
    const waiting = new Map(this.waiting);
    this.waiting.clear();
    if (waiting.size === 0) return;
    try {
      const free = await this.claimFree([...waiting.keys()]);
      for (const [key, { resolve, reject }] of waiting)
        if (free.has(key))
          resolve({ lostRevision: await this.lostRevision(key), release: (at) => this.release(key, at) });
        else reject(occupied());
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error);
    }
  }

  /** Claims objects, and withdraws from those which another run has. @returns the others: those are owned */
  private async claimFree(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const free = new Set(keys);
    for (const key of keys) this.held.add(key);
    await this.write();
    for (let look = 0; ; look += 1) {
      const others = await this.run.claims.look();
      const living = await this.livingOf(others);
      const { occupied, contested } = this.contestedBy(living, free, look === LOOKS);
      for (const key of occupied) {
        free.delete(key);
        this.held.delete(key);
      }
      if (occupied.length > 0) await this.write();
      if (contested) await setTimeout(LOOK_MS);
      else {
        await this.followIfBehind(others);
        return free;
      }
    }
  }

  /** Runs with claims that may still write. What dead ones wrote is read, and nothing can follow it: then what they claimed is free. */
  private async livingOf({ claiming }: OtherRuns): Promise<[string, ClaimingRun][]> {
    if (claiming.size === 0) return [];
    const living = await this.repository.livingRuns();
    const dead = [...claiming].filter(([run]) => !living.has(run));
    if (dead.length > 0) {
      await this.follow();
      for (const [run, { objects }] of dead) await this.closeClaims(run, objects);
    }
    return [...claiming].filter(([run]) => living.has(run));
  }

  private async closeClaims(run: string, objects: readonly string[]): Promise<void> {
    const sequence = (await this.catalog.lastCommits([run])).get(run) ?? 0;
    const revisions: [string, number][] = [];
    for (const key of sequence === 0 ? [] : objects) revisions.push([key, await this.catalog.revisionOf(key)]);
    await this.run.claims.closeOf(run, sequence, revisions);
  }

  /** Of two that came at once the later one gives way; one that was here before does not. */
  private contestedBy(living: readonly [string, ClaimingRun][], keys: ReadonlySet<string>, isLast: boolean) {
    const occupied: string[] = [];
    let contested = false;
    for (const key of keys) {
      const rivals = living.filter(([, claims]) => claims.has(key));
      if (rivals.some(([run]) => isLast || run < this.run.id)) occupied.push(key);
      else if (rivals.length > 0) contested = true;
    }
    return { occupied, contested };
  }

  /** Others may have had the objects since the journals were followed last: then they made commits that the catalog does not know. */
  private async followIfBehind({ claiming, ended }: OtherRuns): Promise<void> {
    const last = new Map([...claiming].map(([run, { sequence }]) => [run, sequence]));
    for (const { run, sequence } of ended) if (run !== this.run.id) last.set(run, sequence);
    const isLate = performance.now() - this.followedMs > FOLLOW_MS;
    if (!isLate && (await this.behind(last)).size === 0) return;
    await this.follow();
    const behind = await this.behind(last);
    for (const one of ended)
      if (behind.has(one.run) && ![...this.lost.keys()].some(({ name }) => name === one.name))
        this.lost.set(one, new Map(await this.run.claims.revisionsOf(one)));
  }

  /** Runs of which the catalog has not applied all commits. */
  private async behind(last: ReadonlyMap<string, number>): Promise<Set<string>> {
    const known = last.size === 0 ? new Map() : await this.catalog.lastCommits([...last.keys()]);
    return new Set([...last].flatMap(([run, sequence]) => ((known.get(run) ?? 0) < sequence ? [run] : [])));
  }

  private async lostRevision(key: string): Promise<number | null> {
    const lost = Math.max(0, ...[...this.lost.values()].map((revisions) => revisions.get(key) ?? 0));
    return lost > 0 && lost > (await this.catalog.revisionOf(key)) ? lost : null;
  }

  private release(key: string, revision: number): void {
    this.held.delete(key);
    if (revision > 0) this.givenBack.set(key, revision);
    this.hasGivenBack = true;
  }

  private async write(): Promise<void> {
    this.hasGivenBack = false;
    await this.run.claims.claim([...this.held], this.run.lastSequence);
    this.writtenMs = performance.now();
  }

  private async follow(): Promise<void> {
    const followedMs = performance.now();
    const { doubled } = await catchUp(this.repository, this.catalog);
    this.onDoubled(doubled);
    await closeDeadRuns(this.repository, this.catalog, this.run.id);
    this.followedMs = followedMs;
  }
}

function occupied(): EngineError {
  return new EngineError('locked', 'Another run is working on this object; it is left to that run.', {
    isRetryable: true,
  });
}
