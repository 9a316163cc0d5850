import type { BackupResult } from '@keepwatch/engine/engine';

/** Why a worker ends a run before its end. `lost`: another worker has it; `leaving`: this process ends, and another worker goes on. */
export type StopReason = 'stopped' | 'window' | 'lost' | 'leaving';

export const NOTHING_READ = 'Nothing was read. The log says why.';

/** What the log of a run says of it. */
export const STOP_TEXTS: Readonly<Record<StopReason, string>> = {
  stopped: 'The run was asked to end.',
  window: 'The backup window has ended.',
  lost: 'Another worker goes on with the run.',
  leaving: 'This worker ends. Another one goes on with the run.',
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
