import { EngineError, prune, verify, type Work } from '@keepwatch/engine/engine';
import { Refusal, reasonOf } from '../../foundation/errors.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { endMaintenance, reportMaintenanceBegin } from '../monitoring/report-maintenance.ts';
import { countPoints } from '../repositories/count-points.ts';
import { openStored } from '../repositories/open-stored.ts';
import { endOfPrune, endOfVerify } from './findings.ts';
import { followStop } from './follow-stop.ts';
import {
  claimMaintenance,
  failedBy,
  type MaintenanceEnd,
  releaseMaintenance,
  type StoredMaintenance,
} from './maintenance-runs.ts';

type MaintenanceServices = Pick<Microsoft365Services, 'database' | 'secrets' | 'stored' | 'log' | 'now'>;

/** So long a prune waits for backups that go on; those that begin meanwhile wait for it. */
const WAIT_MS = 6 * 60 * 60_000;
const DAYS_A_YEAR = 365.25;

/** One that ends its worker each time, by the memory that it needs for example, must not end all workers again and again. */
const CLAIMS_MAX = 3;
const ABANDONED =
  'Each worker that began this ended unexpectedly, so it is not begun again. Look at the memory and the logs of the workers, and start it again after that.';

/** Does a verify or prune to its end. @throws what the queue is to repeat: the end of the program, a database that is away */
export async function runMaintenance(
  services: MaintenanceServices,
  { providerId, runId }: { providerId: number; runId: string },
  signal: AbortSignal,
): Promise<void> {
  const { database, now } = services;
  const run = await claimMaintenance(database, providerId, runId);
  if (run === null) return;
  const stopping = followStop(database, run, signal);
  try {
    await reportMaintenanceBegin(database, run, now());
    const end = run.claims > CLAIMS_MAX ? failedBy(ABANDONED) : await endOf(services, run, stopping.signal);
    await countAgain(services, run);
    await endMaintenance(database, run, end, now());
  } catch (error) {
    await countAgain(services, run);
    // Who stopped it has stored its end.
    if (stopping.isStopped()) return;
    await releaseMaintenance(database, run).catch(() => undefined);
    throw error;
  } finally {
    stopping.end();
  }
}

/** A prune removes restore points, also one that fails or is stopped in the middle. What is not counted now is within the hour. */
async function countAgain(services: MaintenanceServices, run: StoredMaintenance): Promise<void> {
  await countPoints(services, { providerId: run.providerId, id: run.repositoryId }).catch((error: unknown) =>
    services.log.warn({ run: run.id, reason: reasonOf(error) }, 'what a repository has was not counted'),
  );
}

async function endOf(
  services: MaintenanceServices,
  run: StoredMaintenance,
  signal: AbortSignal,
): Promise<MaintenanceEnd> {
  try {
    return await doWork(services, run, { signal, onEvent: () => undefined });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EngineError || error instanceof Refusal))
      services.log.error({ err: error, run: run.id }, 'a verify or prune failed unexpectedly');
    return failedBy(reasonOf(error));
  }
}

async function doWork(services: MaintenanceServices, run: StoredMaintenance, work: Work): Promise<MaintenanceEnd> {
  const stored = await openStored(services, run.providerId, run.repositoryId);
  if (run.kind === 'verify') return endOfVerify(await verify(stored, { depth: run.depth }, work));
  if (run.retentionYears === null) return NOTHING_TO_PRUNE;
  const keepDays = Math.ceil(run.retentionYears * DAYS_A_YEAR);
  return endOfPrune(await prune(stored, { keepDays, dryRun: run.isDryRun, waitMs: WAIT_MS }, work), run.isDryRun);
}

const NOTHING_TO_PRUNE: MaintenanceEnd = {
  result: 'Success',
  message: null,
  findings: [{ level: 'info', text: 'The repository retains everything for ever: there is nothing to prune.' }],
};
