import type { BackupResult } from '@keepwatch/engine/engine';
import { reasonOf } from '../../foundation/errors.ts';
import { openStored } from '../repositories/open-stored.ts';
import type { ClaimedSession } from './claims.ts';
import { endOfRun } from './end-of-run.ts';
import { ABANDONED, UNINDEXED } from './end-texts.ts';
import { ProgressMeter } from './progress-meter.ts';
import { resultOfRun } from './result-of-run.ts';
import type { RunServices } from './run-services.ts';
import type { SessionEnd } from './session-end.ts';
import type { SessionLog } from './session-log.ts';

/** A run that ends its worker each time, by the memory that it needs for example, must not end all workers for ever. */
const CLAIMS_MAX = 3;

/** Whether each worker of a run ended unexpectedly, as often as is allowed. */
export const isAbandoned = ({ claims }: ClaimedSession): boolean => claims > CLAIMS_MAX;

/** Ends such a run without reading anything for it: Failed or, where its workers ended after they had made the restore point, as that says. */
export async function endOfAbandoned(
  services: RunServices,
  session: ClaimedSession,
  signal: AbortSignal,
  log: SessionLog,
): Promise<SessionEnd> {
  const result = await readResult(services, session, signal, log);
  if (result === null) {
    log.add('error', null, ABANDONED);
    return { result: 'Failed', message: ABANDONED, progress: session.progress, restorePoint: null };
  }
  log.add('warning', null, UNINDEXED);
  const meter = new ProgressMeter();
  meter.end(result);
  const end = endOfRun(result, null, meter.progress());
  return { ...end, message: end.message === null ? UNINDEXED : `${end.message} ${UNINDEXED}` };
}

/** Looking is what ends the worker, too, where this is not the first that looks. */
async function readResult(
  services: RunServices,
  { providerId, repositoryId, engineRun, claims }: ClaimedSession,
  signal: AbortSignal,
  log: SessionLog,
): Promise<BackupResult | null> {
  if (claims > CLAIMS_MAX + 1) return null;
  try {
    const stored = await openStored(services, providerId, repositoryId);
    return await resultOfRun(stored, engineRun, { signal, onEvent: () => undefined });
  } catch (error) {
    log.add('warning', null, `Whether a restore point was made could not be read: ${reasonOf(error)}`);
    return null;
  }
}
