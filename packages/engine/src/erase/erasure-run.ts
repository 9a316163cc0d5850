import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { NO_COUNTS } from '../model/outcome.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import type { RunEnd } from '../repository/commit.ts';
import type { LockWait, Repository, RepositoryLock, Run } from '../repository/repository.ts';

/** How an erasure works, whatever it erases. */
export interface ErasureWork {
  /** How long it waits until the runs that work have ended. */
  waitMs?: number;
  onWait?: (message: string) => void;
  onProgress?: (commits: number) => void;
  signal?: AbortSignal;
  now?: () => Date;
}

/**
 * Does one half of an erasure in a run of its own.
 * @param work with what it comes to, and why that is not whole
 */
export async function inErasureRun<Result>(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: ErasureWork,
  lock: { lock: RepositoryLock } | { wait: LockWait },
  work: (run: Run) => Promise<{ result: Result; failure: string | null }>,
): Promise<Result> {
  const header = { kind: 'erase', job: 'erase', jobName: 'Erase', organizationId: '' } as const;
  const run = await repository.startRun(header, catalog, lock);
  const now = options.now ?? (() => new Date());
  try {
    if ('wait' in lock) await catchUp(repository, catalog, signalOf(options));
    await catalog.apply(await run.commit({ follows: await catalog.unfollowed() }));
    const { result, failure } = await work(run);
    const failures = failure === null ? [] : [{ objectName: null, message: failure }];
    const findings = { failures, lost: [], skipped: [], alerts: [] };
    const finishedAt = new Date(now().getTime() - run.skewMs);
    const outcome = failure === null ? 'Success' : 'Warning';
    const end: RunEnd = { outcome, finishedAt, counts: NO_COUNTS, objects: [], findings };
    await catalog.apply(await run.end({ end: () => end }));
    return result;
  } finally {
    await run.abandon();
  }
}

/** Long enough for runs that back up a few changes; those that read for hours are waited for another day. */
const WAIT_MS = 10 * 60_000;

export function waitOf({ waitMs = WAIT_MS, signal, onWait }: ErasureWork): LockWait {
  return { forMs: waitMs, ...(signal === undefined ? {} : { signal }), ...(onWait === undefined ? {} : { onWait }) };
}

export function signalOf({ signal }: { signal?: AbortSignal | undefined }): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
