import type pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';
import type { Commit, ObjectSection } from '../../../repository/commit.ts';
import type { ApplyOptions, CatalogWaits, DoubledRevision } from '../../catalog.ts';
import { storeDamage } from '../damaged-chunks.ts';
import { noteOrder, storeDoubled } from '../doubled-revisions.ts';
import { eraseFindings, storeErasedPacks, toBeErased } from '../retention/erasures.ts';
import { expire } from '../retention/expiry.ts';
import { markFollowed } from '../runs.ts';
import { row, transaction } from '../sessions/connection.ts';
import { preventReplacement } from '../successor.ts';
import { applyEnd } from './apply-end.ts';
import { retirePacks, storePacks } from './apply-packs.ts';
import { applySections } from './apply-sections.ts';

/**
 * Applies a commit, all or nothing. One that was applied before changes nothing.
 * @returns revisions that another commit had brought already
 * @throws `damaged` for one that does not follow, unless it is to be applied over gaps
 */
export function applyCommit(
  pool: pg.Pool,
  repository: number,
  commit: Commit,
  { isOverGaps = false, isInOrder = false, signal }: ApplyOptions,
  { onWait }: CatalogWaits,
): Promise<DoubledRevision[]> {
  return transaction(pool, async (connection) => {
    const doubled: DoubledRevision[] = [];
    await preventReplacement(pool, connection, repository, { onWait, signal });
    const run = await takeRun(connection, repository, commit, isOverGaps);
    if (run === null) return doubled;
    await markFollowed(connection, repository, commit.follows);
    await storeDamage(connection, repository, commit.damage);
    await storePacks(connection, repository, commit.packs);
    const erased = await toBeErased(connection, repository, commit.sections);
    signal?.throwIfAborted();
    for (const { section, storedAs } of await applySections(
      connection,
      repository,
      inLockOrder(commit.sections),
      commit,
      isOverGaps,
    )) {
      if (storedAs === section.revision) continue;
      doubled.push(await storeDoubled(connection, repository, { run, commit, section, storedAs }));
    }
    if (doubled.length > 0 && !isInOrder) await noteOrder(connection, repository, doubled);
    await eraseFindings(connection, repository, erased);
    await storeErasedPacks(connection, repository, commit.erasedPacks);
    if (commit.retiredPacks.length > 0) await retirePacks(connection, repository, commit.retiredPacks);
    if (commit.expiredBefore !== null || commit.expiredJobs.length > 0)
      await expire(connection, repository, { before: commit.expiredBefore, jobs: commit.expiredJobs });
    if (commit.end !== null) await applyEnd(connection, repository, run, commit.end, placeOf(commit), isOverGaps);
    return doubled;
  });
}

/**
 * Moves the run on to this commit and locks its row until the transaction ends, so that no two apply the same commit.
 * @returns the run's number, or `null` when the commit was applied before
 */
async function takeRun(
  connection: pg.PoolClient,
  repository: number,
  commit: Commit,
  isOverGaps: boolean,
): Promise<number | null> {
  if (commit.header !== null) await insertRun(connection, repository, commit, commit.header);
  const run = await row<{ id: number; last_sequence: number }>(
    connection,
    'SELECT id, last_sequence FROM runs WHERE repository = $1 AND run = $2 FOR UPDATE',
    [repository, commit.run],
  );
  if (run !== null && commit.sequence <= run.last_sequence) return null;
  if (run === null || (commit.sequence !== run.last_sequence + 1 && !isOverGaps)) {
    throw new EngineError(
      'damaged',
      `The ${placeOf(commit)} does not follow the last one known, ${run?.last_sequence ?? 0}. Rebuild the catalog from the repository.`,
    );
  }
  await connection.query(`UPDATE runs SET last_sequence = $2, is_open = $3, closed_by = $4 WHERE id = $1`, [
    run.id,
    commit.sequence,
    commit.end === null && commit.closedBy === null,
    commit.closedBy,
  ]);
  return run.id;
}

async function insertRun(
  connection: pg.PoolClient,
  repository: number,
  { run }: Commit,
  { kind, job, jobName, organizationId, startedAt, keepDays }: NonNullable<Commit['header']>,
): Promise<void> {
  await connection.query(
    `INSERT INTO runs (repository, run, last_sequence, is_open, kind, job, job_name, organization, started_at, keep_days, says_keep_days)
     VALUES ($1, $2, 0, true, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (repository, run) DO NOTHING`,
    [repository, run, kind, job, jobName, organizationId, startedAt, keepDays ?? null, keepDays !== undefined],
  );
}

/** Sorts objects by their keys, the order in which every writer locks them; sections of one object stay in their order. */
function inLockOrder(sections: readonly ObjectSection[]): ObjectSection[] {
  return sections.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

export function placeOf({ run, sequence }: Pick<Commit, 'run' | 'sequence'>): string {
  return `commit ${sequence} of run ${run}`;
}
