import { type BackupResult, catchUp, type Stored, type Work } from '@keepwatch/engine/engine';

/**
 * Returns the result of a run that a worker ended in the repository before it could report that, so that no second restore point is made for it.
 * `null`: it was not ended, or stopped, and another one goes on from its commits.
 */
export async function resultOfRun(stored: Stored, run: string | null, work: Work): Promise<BackupResult | null> {
  if (run === null) return null;
  // The last commit may be in the repository and not yet in the catalog.
  await catchUp(stored, work);
  const found = await stored.catalog.restorePoint(run);
  if (found === null || found.outcome === 'Stopped') return null;
  const { outcome, finishedAt, counts, objects, findings } = found;
  return { run, outcome, finishedAt, counts, objects, findings };
}
