import type { assignJobExecutions } from '@keepwatch/contract/executions/job-executions';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { changeWithin } from '../audit/change.ts';
import { type Connection, row, rows } from '../foundation/database.ts';
import { conflict, invalid, notFound } from '../foundation/errors.ts';
import type { ChangingContext } from '../foundation/http/context.ts';
import type { Scope } from '../foundation/scope.ts';
import { ingestInTransaction } from '../ingest/ingest-runs.ts';
import { startIn, startOfExecution } from '../runs/execution-id.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import type { Execution } from '../runs/rows/execution-rows.ts';
import { asRunOf, lockRuns, moveSharedRuns, sortedByRoom } from './move-shared-runs.ts';
import { dropEmptySharedJobs } from './shared-jobs.ts';

type AssignReply = Omit<CallReply<typeof assignJobExecutions>, 'success'>;

/**
 * Assigns runs of a shared job to one of its candidates, all of them or none, with one audit entry. Returns the ids that do not exist
 * or are outside the caller's scope: assigning the same runs again changes nothing. Throws 404 for a job outside the scope, 422 for
 * a job that is not a candidate, and 409 when the job already has a run of that start.
 */
export async function assignExecutions(
  context: ChangingContext,
  { ids, jobInstanceUid }: { ids: readonly string[]; jobInstanceUid: string },
): Promise<AssignReply> {
  const { database, scope } = context;
  const { providerId } = scope;
  const asked = [...new Set(ids.map((id) => id.toLowerCase()))];
  return ingestInTransaction(database, providerId, context.now(), async (connection, ingest) => {
    const job = await findCandidate(connection, scope, jobInstanceUid);
    if (job === null) throw notFound('job');
    const runs = await lockRuns(connection, providerId, await keysWithin(connection, scope, asked));
    if (job.sharedJob === null || runs.some((run) => run.jobInstanceUid !== job.sharedJob))
      throw invalid([{ path: 'body.jobInstanceUid', message: 'is none of the jobs that these runs may belong to' }]);
    const { clashing } = await sortedByRoom(connection, providerId, runs, jobInstanceUid);
    if (clashing.length > 0) throw conflict(clashText(job.name, clashing));
    const moves = runs.map((run) => asRunOf(jobInstanceUid, run, false));
    const moved = await moveSharedRuns(connection, ingest, providerId, moves);
    await dropEmptySharedJobs(connection, providerId, [job.sharedJob]);
    const data = runs.map(({ id }) => ({ _id: id, assignedId: moved.get(id) ?? id }));
    const result = { data, notFound: asked.filter((id) => !moved.has(id)) };
    const target = { kind: 'job', id: jobInstanceUid };
    if (runs.length === 0) return changeWithin(connection, context, target, { result, isUnchanged: true });
    const after = { jobInstanceUid, jobName: job.name, executions: data };
    // The last sync shows how many runs are left to assign.
    const done = { result, before: runs.map(beforeOf), after, live: ['sync.changed'] as const };
    return changeWithin(connection, context, target, done);
  });
}

function findCandidate(
  connection: Connection,
  scope: Scope,
  jobInstanceUid: string,
): Promise<{ name: string; sharedJob: string | null } | null> {
  return row(
    connection,
    sql`select j.name, j.shared_job as "sharedJob" from ${JOBS} j
        where ${scope.rows('j')} and j.job_instance_uid = ${jobInstanceUid} and j.removed_at is null`,
  );
}

/** Selects the executions in the caller's scope. */
async function keysWithin(connection: Connection, scope: Scope, ids: readonly string[]) {
  const found = await rows<{ id: string }>(
    connection,
    sql`select e.id from unnest(${sql.param(ids)}::uuid[], ${sql.param(ids.map(startIn))}::timestamptz[]) as k (id, started_at)
        cross join lateral (select n.* from ${JOB_EXECUTIONS} n
          where n.provider_id = ${scope.providerId} and n.started_at = k.started_at and n.id = k.id offset 0) e
        where ${scope.rows('e')}`,
  );
  return found.map(({ id }) => ({ id, startedAtMs: startOfExecution(id).getTime() }));
}

function clashText(name: string, [first, ...others]: readonly Execution[]): string {
  const start = first === undefined ? '' : new Date(first.attempts[0].startedAtMs).toISOString();
  const more = others.length > 0 ? `, and ${others.length} more starts` : '';
  return `"${name}" already has a run that began at ${start}${more}. Nothing was assigned: choose another job, or other runs.`;
}

function beforeOf({ id, jobInstanceUid, work }: Execution) {
  return { _id: id, jobInstanceUid, ...work };
}
