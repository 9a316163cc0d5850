import { EngineError } from '@keepwatch/engine/engine';
import { Refusal } from '../foundation/errors.ts';

/** A piece of background work that a user may cancel, and that ends when the user may not do it any more. */
export interface Cancelling {
  /** Aborted when it is cancelled or refused, and with the signal of the job. */
  signal: AbortSignal;
  isCancelled(): boolean;
  /** Why it must not go on; `null` while it may. */
  refusal(): EngineError | Refusal | null;
  /** To be called when the work is over. */
  end(): void;
}

const LOOK_MS = 1_000;

/**
 * Looks once a second whether a user asked for the end, and whether the user may still do it, and ends the work then. A look that fails is
 * repeated.
 * @param requireAllowed throws why the work must not go on
 */
export function followCancel(
  isAsked: () => Promise<boolean>,
  requireAllowed: () => Promise<void>,
  job: AbortSignal,
): Cancelling {
  const [cancelled, refused] = [new AbortController(), new AbortController()];
  let refusal: EngineError | Refusal | null = null;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      if (await isAsked()) cancelled.abort(new Error('A user cancelled it.'));
      await requireAllowed();
    } catch (error) {
      // Else the database is away for a moment: the next look finds it.
      if (error instanceof EngineError || error instanceof Refusal) {
        refusal = error;
        refused.abort(error);
      }
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    signal: AbortSignal.any([job, cancelled.signal, refused.signal]),
    isCancelled: () => cancelled.signal.aborted,
    refusal: () => refusal,
    end: () => clearInterval(timer),
  };
}
