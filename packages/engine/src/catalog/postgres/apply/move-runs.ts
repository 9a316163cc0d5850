import type pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';
import type { Commit, KnownCommit, RunHeader } from '../../../repository/commit.ts';
import { markFollowed } from '../runs.ts';
import { rows } from '../sessions/connection.ts';

/**
 * Moves runs on to the last of their commits, and marks what these name as known to them.
 * @returns the numbers of the runs
 * @throws `damaged` for a commit that is not the next of its run
 */
export async function moveRuns(
  connection: pg.PoolClient,
  repository: number,
  commits: readonly Commit[],
): Promise<Map<string, number>> {
  await insertRuns(
    connection,
    repository,
    commits.flatMap(({ header }) => header ?? []),
  );
  const found = await rows<{ id: number; run: string; last_sequence: number }>(
    connection,
    'SELECT id, run, last_sequence FROM runs WHERE repository = $1 AND run = ANY ($2) ORDER BY run FOR UPDATE',
    [repository, [...new Set(commits.map(({ run }) => run))]],
  );
  const ids = new Map(found.map(({ run, id }) => [run, id]));
  const last = new Map(found.map(({ run, last_sequence }) => [run, last_sequence]));
  const isKnown = new Set(found.filter(({ last_sequence }) => last_sequence > 0).map(({ run }) => run));
  const inBatch = new Set(last.keys());
  const follows = new Map<string, number>();
  const ends = new Map<number, Commit>();
  for (const commit of commits) {
    const id = ids.get(commit.run);
    if (id === undefined || commit.sequence !== (last.get(commit.run) ?? 0) + 1)
      throw new EngineError(
        'damaged',
        `Commit ${commit.sequence} of run ${commit.run} does not follow the last one known, ${last.get(commit.run) ?? 0}. Rebuild the catalog from the repository.`,
      );
    last.set(commit.run, commit.sequence);
    isKnown.add(commit.run);
    ends.set(id, commit);
    // What comes later in the batch was not known yet when this commit is applied.
    for (const [run, sequence] of commit.follows)
      if (!inBatch.has(run) || isKnown.has(run)) follows.set(run, Math.max(sequence, follows.get(run) ?? 0));
  }
  await connection.query(
    `UPDATE runs SET last_sequence = m.sequence, is_open = m.is_open, closed_by = m.closed_by
     FROM unnest($1::integer[], $2::integer[], $3::boolean[], $4::text[]) AS m (id, sequence, is_open, closed_by)
     WHERE runs.id = m.id`,
    [
      [...ends.keys()],
      [...ends.values()].map(({ sequence }) => sequence),
      [...ends.values()].map(({ end, closedBy }) => end === null && closedBy === null),
      [...ends.values()].map(({ closedBy }) => closedBy),
    ],
  );
  await markFollowed(
    connection,
    repository,
    [...follows].map((one): KnownCommit => one),
  );
  return ids;
}

async function insertRuns(connection: pg.PoolClient, repository: number, headers: readonly RunHeader[]): Promise<void> {
  if (headers.length === 0) return;
  await connection.query(
    `INSERT INTO runs (repository, run, last_sequence, is_open, kind, job, job_name, organization, started_at, keep_days, says_keep_days)
     SELECT $1, h.run, 0, true, h.kind, h.job, h.job_name, h.organization, h.started_at, h.keep_days, h.says_keep_days
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::integer[], $9::boolean[])
       AS h (run, kind, job, job_name, organization, started_at, keep_days, says_keep_days)
     ON CONFLICT (repository, run) DO NOTHING`,
    [
      repository,
      headers.map(({ id }) => id),
      headers.map(({ kind }) => kind),
      headers.map(({ job }) => job),
      headers.map(({ jobName }) => jobName),
      headers.map(({ organizationId }) => organizationId),
      headers.map(({ startedAt }) => startedAt),
      headers.map(({ keepDays }) => keepDays ?? null),
      headers.map(({ keepDays }) => keepDays !== undefined),
    ],
  );
}
