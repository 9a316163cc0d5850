import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';

export interface HeldLease {
  /** Aborts when the lease could not be renewed in time. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * Takes a lease and renews it three times in its life. A process that dies simply stops doing so.
 * @throws `locked` while another holder's lease has not expired
 */
export async function holdLease(
  catalog: RepositoryCatalog,
  name: string,
  holder: string,
  ttlMs: number,
): Promise<HeldLease> {
  if (!(await catalog.lease(name, holder, ttlMs))) {
    throw new EngineError('locked', 'Another run works on this. It is taken up again when that run has ended.', {
      isRetryable: true,
    });
  }
  const lost = new AbortController();
  let renewedMs = performance.now();
  const timer = setInterval(() => void renew(), ttlMs / 3);
  timer.unref();
  async function renew(): Promise<void> {
    const isHeld = await catalog.lease(name, holder, ttlMs).catch(() => null);
    if (isHeld === true) renewedMs = performance.now();
    // The database may be away for a moment; what counts is whether the lease can have run out.
    else if (isHeld === false || performance.now() - renewedMs > ttlMs) {
      lost.abort(
        new EngineError('taken-over', 'The lease ran out: this process was too slow, or the database was away.'),
      );
    }
  }
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer);
      await catalog.releaseLease(name, holder);
    },
  };
}
