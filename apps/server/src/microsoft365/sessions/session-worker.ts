import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from '../../foundation/errors.ts';
import { isOpen } from '../jobs/schedule.ts';
import { poolIdOf, proxyIdOf } from '../workers/worker-ids.ts';
import { removeOldWorkers, reportEnd, reportWorker, type Worker } from '../workers/workers.ts';
import { type Claimant, type ClaimedSession, claimSession, extendClaims, listStopped } from './claims.ts';
import type { RunServices } from './run-services.ts';
import { type RunningSession, runSession } from './run-session.ts';

export interface SessionWorkerOptions extends Worker {
  /** How long a claim lasts, and how often it is extended. */
  claimMs?: number;
  extendMs?: number;
  /** How often it looks for work, and for runs that were asked to end. */
  lookMs?: number;
  /** For how long a run does what was not done before it gives its place to an organization that waits. */
  placeMs?: number;
}

const CLAIM_MS = 40_000;
const EXTEND_MS = 10_000;
const LOOK_MS = 1_000;
/** Long enough that what a run has to read again after it is small beside it. */
const PLACE_MS = 10 * 60_000;
/** So often other workers look, one of which may have a free place, before a run gives up its own. */
const LOOKS_BEFORE = 5;

export interface SessionWorker {
  /** Ends its runs, with which other workers go on. */
  stop(): Promise<void>;
}

/**
 * Does runs of jobs until it is stopped, as many at the same time as its capacity says. Where all places are in use and an organization that has no run
 * under way waits, the run that has gained for longest, for some minutes at least, gives its place and goes on later: so that no organization, however
 * large, keeps the others waiting for days.
 */
export function startSessionWorker(services: RunServices, options: SessionWorkerOptions): SessionWorker {
  const worker = new RunningWorker(services, options);
  const working = worker.work();
  return {
    async stop() {
      worker.leave();
      await working;
    },
  };
}

class RunningWorker {
  private readonly services: RunServices;
  private readonly options: SessionWorkerOptions;
  private readonly leaving = new AbortController();
  private readonly running = new Map<string, RunningSession>();
  private readonly places: readonly string[];
  private extendedMs = 0;

  constructor(services: RunServices, options: SessionWorkerOptions) {
    this.services = services;
    this.options = options;
    const { name, pool } = options;
    this.places = [proxyIdOf(name), ...(pool === null ? [] : [poolIdOf(pool)])];
  }

  leave(): void {
    this.leaving.abort();
    for (const run of this.running.values()) run.stop('leaving');
  }

  async work(): Promise<void> {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      await this.look().catch((error: unknown) =>
        this.services.log.warn(
          { reason: reasonOf(error) },
          'the runs of this worker could not be looked at; trying again',
        ),
      );
      await wait(this.options.lookMs ?? LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
    await reportEnd(this.services.database, this.options).catch(() => undefined);
  }

  private async look(): Promise<void> {
    if (performance.now() - this.extendedMs >= (this.options.extendMs ?? EXTEND_MS) || this.extendedMs === 0)
      await this.extend();
    await this.stopAsked();
    while (this.running.size < this.options.capacity && !this.leaving.signal.aborted) if (!(await this.claim())) break;
    await this.makeRoom();
  }

  /** Says that it is there, and that its runs are its own; one that is not any more ends here. */
  private async extend(): Promise<void> {
    const { database } = this.services;
    const { id, name, version, pool, capacity } = this.options;
    await reportWorker(database, { id, name, version, pool, capacity }, this.running.size);
    if (this.extendedMs === 0) await removeOldWorkers(database);
    const own = await extendClaims(database, this.claimant());
    this.extendedMs = performance.now();
    for (const [session, run] of this.running) if (!own.has(session)) run.stop('lost');
  }

  private async stopAsked(): Promise<void> {
    if (this.running.size === 0) return;
    const stopped = await listStopped(this.services.database, this.options.id);
    const now = this.services.now();
    for (const [id, run] of this.running) {
      if (stopped.has(id)) run.stop('stopped');
      else if (!run.session.isByHand && !isOpen(run.session.schedule, now)) run.stop('window');
    }
  }

  private async claim(waiting: Pick<Claimant, 'waitedMs'> = {}): Promise<boolean> {
    const session = await claimSession(this.services.database, { ...this.claimant(), ...waiting });
    if (session === null) return false;
    this.begin(session);
    return true;
  }

  /** Claims first what waits, which one worker alone can, so that no more runs give up their places than are needed. */
  private async makeRoom(): Promise<void> {
    const { capacity, placeMs = PLACE_MS, lookMs = LOOK_MS } = this.options;
    if (this.running.size !== capacity || this.leaving.signal.aborted) return;
    const [longest] = [...this.running.values()]
      .filter((run) => run.gainingMs() >= placeMs)
      .toSorted((one, other) => other.gainingMs() - one.gainingMs());
    if (longest === undefined) return;
    if (await this.claim({ waitedMs: LOOKS_BEFORE * lookMs })) longest.stop('yielding');
  }

  private begin(session: ClaimedSession): void {
    const { id, name } = this.options;
    const run = runSession(this.services, session, { id, name });
    this.running.set(session.id, run);
    void run.ended.then(() => this.running.delete(session.id));
  }

  private claimant(): Claimant {
    const { id: workerId, claimMs = CLAIM_MS } = this.options;
    return { workerId, places: this.places, claimMs, running: [...this.running.keys()] };
  }
}
