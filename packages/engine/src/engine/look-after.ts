import { type ErasurePlan, type ErasureResult, erase, planErasure } from '../erase/erase.ts';
import type { ErasureSubject } from '../erase/erasure-subject.ts';
import { prune } from '../prune/prune.ts';
import type { PruneOptions, PruneResult } from '../prune/prune-plan.ts';
import { catchUpToRead, type ReadableCatalog } from '../rebuild/catch-up-to-read.ts';
import { type RebuildResult, rebuild } from '../rebuild/rebuild.ts';
import { type LockReview, reviewLocks } from '../verify/review-locks.ts';
import { type VerifyOptions, type VerifyResult, verify } from '../verify/verify.ts';
import { reportingWaits } from './waits.ts';
import type { Stored, Work } from './work.ts';

/** Follows what others backed up or pruned with another catalog: before a restore point is chosen to be read. */
export function catchUp(stored: Stored, work: Work): Promise<ReadableCatalog> {
  const { signal, onEvent } = work;
  const { repository, catalog } = reportingWaits(stored, work);
  onEvent({ type: 'phase', phase: 'catching-up' });
  return catchUpToRead(repository, catalog, {
    signal,
    onCommit: (done) => onEvent({ type: 'progress', what: 'Catching up', done, total: null, unit: 'commits' }),
  });
}

/** Checks that what was backed up can be brought back: see `verify`. */
export function runVerify(
  stored: Stored,
  order: Pick<VerifyOptions, 'depth' | 'noLock'>,
  work: Work,
): Promise<VerifyResult> {
  const { signal, onEvent } = work;
  const { repository, catalog } = reportingWaits(stored, work);
  onEvent({ type: 'phase', phase: 'verifying' });
  return verify(repository, catalog, {
    ...order,
    signal,
    onWait: (message) => onEvent({ type: 'waiting', on: 'lock', message, until: null, holders: [] }),
    onStranger: (name) => onEvent({ type: 'stranger', name }),
    onProgress: ({ packsDone: done, packs: total, bytesRead: bytes }) =>
      onEvent({ type: 'progress', what: 'Verifying', done, total, unit: 'packs', bytes }),
  });
}

/** What is to stay. */
export type PruneOrder = Pick<PruneOptions, 'before' | 'keepDays' | 'keepDaysOf' | 'dryRun' | 'waitMs'>;

/** Takes away what retention no longer asks for: see `prune`. */
export function runPrune(stored: Stored, order: PruneOrder, work: Work): Promise<PruneResult> {
  const { signal, onEvent } = work;
  const { repository, catalog } = reportingWaits(stored, work);
  let phase = '';
  return prune(repository, catalog, {
    ...order,
    signal,
    onWait: (message) => onEvent({ type: 'waiting', on: 'lock', message, until: null, holders: [] }),
    onProgress({ step, done, total }) {
      if (phase !== step) onEvent({ type: 'phase', phase: step });
      phase = step;
      onEvent({ type: 'progress', what: step, done, total, unit: step === 'deleting' ? 'packs' : 'items' });
    },
  });
}

/** Makes the catalog again from the repository alone: see `rebuild`. Texts are to be indexed after it. */
export function runRebuild(
  stored: Stored,
  { acceptLoss = false }: { acceptLoss?: boolean },
  work: Work,
): Promise<RebuildResult> {
  const { signal, onEvent } = work;
  const { repository, catalog } = reportingWaits(stored, work);
  onEvent({ type: 'phase', phase: 'rebuilding' });
  return rebuild(repository, catalog, {
    acceptLoss,
    signal,
    onProgress: ({ commits }) =>
      onEvent({ type: 'progress', what: 'Rebuilding', done: commits, total: null, unit: 'commits' }),
  });
}

/** What is erased, for whom and why. The caller has had it confirmed: nothing brings it back. */
export interface ErasureOrder {
  subject: ErasureSubject;
  /** For the audit: why, such as the number of a request. */
  reason: string;
  /** For the audit: who asked for it; without it the account and machine. */
  by?: string;
  /** How long it waits until the runs that work have ended. */
  waitMs?: number;
}

/** Says what an erasure would delete: see `planErasure`. */
export function runErasurePlan(
  { repository, catalog }: Stored,
  subject: ErasureSubject,
  signal: AbortSignal,
): Promise<ErasurePlan> {
  return planErasure(repository, catalog, subject, signal);
}

/** Erases from all restore points: see `erase`. */
export function runErasure(stored: Stored, order: ErasureOrder, work: Work): Promise<ErasureResult> {
  const { signal, onEvent } = work;
  const { repository, catalog } = reportingWaits(stored, work);
  onEvent({ type: 'phase', phase: 'erasing' });
  return erase(repository, catalog, {
    ...order,
    signal,
    onWait: (message) => onEvent({ type: 'waiting', on: 'lock', message, until: null, holders: [] }),
    onProgress: (done) => onEvent({ type: 'progress', what: 'Reading journals', done, total: null, unit: 'commits' }),
  });
}

/** Locks again what is in use and has less than half of its days left: see `reviewLocks`. */
export async function runLockExtension(stored: Stored, work: Work): Promise<LockReview | null> {
  const { catalog } = stored;
  const { signal, onEvent } = work;
  const repository = stored.repository.until(signal);
  if (repository.lockDays === null) return null;
  // What others wrote is in use as well.
  await catchUp(stored, work);
  onEvent({ type: 'phase', phase: 'locking' });
  const review = await reviewLocks(repository, catalog, { extend: true, signal });
  await catalog.setLocksReviewedAt(repository.present());
  return review;
}
