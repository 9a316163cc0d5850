import type { BackupResult } from '@keepwatch/engine/engine';

/**
 * Why a worker ends a run before its end. `lost`: another worker has it; `leaving`: this process ends, and another worker goes on; `yielding`: it
 * gives its place to an organization that waits, and goes on when one is free.
 */
export type StopReason = 'stopped' | 'window' | 'lost' | 'leaving' | 'yielding';

export const ABANDONED =
  'Each worker that began this run ended unexpectedly, so it is not begun again. Look at the memory and the logs of the workers. The next run goes on from what was stored.';

export const NO_WORKER =
  'No worker took this run for a day. Look under the proxy of the job whether it is online, or let the job run on any that is free.';

/** The restore point was made, and each worker ended after that. */
export const UNINDEXED =
  'New texts cannot be searched yet: each worker that made them searchable ended unexpectedly. Look at the memory and the logs of the workers. The next run goes on with them.';

/** Returns which worker does what, for the log of the run. */
export const begunText = ({ isContinued }: { isContinued: boolean }, worker: string) =>
  `Worker ${worker} ${isContinued ? 'goes on with' : 'begins'} the run.`;

export const NOTHING_READ = 'Nothing was read. The log says why.';

/** What the log of a run says of it. */
export const STOP_TEXTS: Readonly<Record<StopReason, string>> = {
  stopped: 'The run was asked to end.',
  window: 'The backup window has ended.',
  lost: 'Another worker goes on with the run.',
  leaving: 'This worker ends. Another one goes on with the run.',
  yielding: 'Another organization waits for a place. The run goes on when one is free.',
};

/** Returns what a run that was stopped says of itself. */
export const stopMessage = (reason: StopReason | null) =>
  `${reason === 'window' ? 'The backup window ended before the run did.' : 'The run was stopped.'} The next one goes on from there.`;

/** Returns what is missing, in one line: the log has every item. */
export function missingText({ counts, findings }: BackupResult): string | null {
  const [failure] = findings.failures;
  if (counts.itemsLost > 0)
    return `${counts.itemsLost.toLocaleString('en')} items could not be read. The log names them.`;
  return failure === undefined
    ? null
    : `${failure.objectName === null ? '' : `${failure.objectName}: `}${failure.message}`;
}
