/** A piece of background work that a user may cancel. */
export interface Cancelling {
  /** Aborted when it is cancelled, and with the signal of the job. */
  signal: AbortSignal;
  isCancelled(): boolean;
  /** To be called when the work is over. */
  end(): void;
}

const LOOK_MS = 1_000;

/** Looks once a second whether a user asked for the end, and ends the work then. A look that fails is repeated. */
export function followCancel(isAsked: () => Promise<boolean>, job: AbortSignal): Cancelling {
  const cancelled = new AbortController();
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      if (await isAsked()) cancelled.abort(new Error('A user cancelled it.'));
    } catch {
      // The database is away for a moment: the next look finds it.
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    signal: AbortSignal.any([job, cancelled.signal]),
    isCancelled: () => cancelled.signal.aborted,
    end: () => clearInterval(timer),
  };
}
