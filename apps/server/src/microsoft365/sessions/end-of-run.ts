import type { BackupResult } from '@keepwatch/engine/engine';
import type { SessionProgress } from '../session-progress.ts';
import { missingText, NOTHING_READ, type StopReason, stopMessage } from './end-texts.ts';
import type { SessionEnd } from './session-end.ts';

/** Returns how a run ends by what the engine says of it. @param reason why it was stopped, if it was */
export function endOfRun(result: BackupResult, reason: StopReason | null, progress: SessionProgress): SessionEnd {
  const isStopped = result.outcome === 'Stopped';
  const hasPoint = result.objects.length > 0;
  const outcome = isStopped ? 'Warning' : hasPoint ? result.outcome : 'Failed';
  const [failure] = result.findings.failures;
  const why = outcome === 'Failed' ? (failure?.message ?? NOTHING_READ) : missingText(result);
  return {
    result: outcome === 'Stopped' ? 'Warning' : outcome,
    message: isStopped ? stopMessage(reason) : why,
    progress,
    restorePoint: hasPoint ? result.run : null,
  };
}
