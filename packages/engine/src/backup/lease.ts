import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';

export interface HeldLease {
  /** Aborts when the lease could not be renewed for `lostMs`. */
  readonly lost: AbortSignal;
  /** Never fails: a lease that cannot be given back runs out by itself. */
  release(): Promise<void>;
}

/** How long a lease lasts, and after how long without a renewal its holder stops of its own accord; renewed three times in that time. */
export interface LeaseTimes {
  ttlMs: number;
  lostMs: number;
}

/**
 * Takes a lease and keeps renewing it. A process that dies simply stops doing so.
 * @throws `locked` while another holder's lease has not expired
 */
export async function holdLease(
  catalog: RepositoryCatalog,
  name: string,
  holder: string,
  { ttlMs, lostMs }: LeaseTimes,
): Promise<HeldLease> {
  if (!(await catalog.lease(name, holder, ttlMs))) {
    throw new EngineError('locked', 'Another run works on this. It is taken up again when that run has ended.', {
      isRetryable: true,
    });
  }
  const lost = new AbortController();
  // The clock on the wall, since a machine that slept has to notice it.
  let renewedMs = Date.now();
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renew();
  }, lostMs / 3);
  timer.unref();
  async function renew(): Promise<void> {
    const isHeld = await catalog.lease(name, holder, ttlMs).catch(() => null);
    if (isHeld === true) renewedMs = Date.now();
    // The database may be away for a moment; what counts is whether the lease can have run out.
    else if (isHeld === false || Date.now() - renewedMs > lostMs) {
      lost.abort(
        new EngineError('taken-over', 'The lease ran out: this process was too slow, or the database was away.'),
      );
    }
  }
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer);
      await renewing;
      await catalog.releaseLease(name, holder).catch(() => undefined);
    },
  };
}
