import { EngineError } from '@keepwatch/engine/engine';
import { Refusal } from '../foundation/errors.ts';
import { lookAgain } from '../foundation/look-again.ts';

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

/**
 * Looks once a second whether a user asked for the end, and whether the user may still do it, and ends the work then.
 * @param requireAllowed throws why the work must not go on
 */
export function followCancel(
  isAsked: () => Promise<boolean>,
  requireAllowed: () => Promise<void>,
  job: AbortSignal,
): Cancelling {
  const [cancelled, refused] = [new AbortController(), new AbortController()];
  let refusal: EngineError | Refusal | null = null;
  const end = lookAgain(async () => {
    try {
      if (await isAsked()) cancelled.abort(new Error('A user cancelled it.'));
      await requireAllowed();
    } catch (error) {
      if (!(error instanceof EngineError || error instanceof Refusal)) throw error;
      refusal = error;
      refused.abort(error);
    }
  });
  return {
    signal: AbortSignal.any([job, cancelled.signal, refused.signal]),
    isCancelled: () => cancelled.signal.aborted,
    refusal: () => refusal,
    end,
  };
}
