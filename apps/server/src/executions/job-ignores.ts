import { type SQL, sql } from 'drizzle-orm';
import { change } from '../audit/change.ts';
import { type Connection, execute } from '../foundation/database.ts';
import type { ChangingContext } from '../foundation/http/context.ts';
import type { Scope } from '../foundation/scope.ts';
import { JOB_IGNORES, JOBS } from '../runs/jobs.ts';
import { checkUntil } from './ignored-until.ts';

/** Lists in which a user can ignore a job. */
export type IgnoreKind = 'didnt-run' | 'disabled';

/** An ignore (alias `i`) is active now. */
export function isActiveIgnore(now: Date): SQL {
  return sql`(i.ignored_until is null or i.ignored_until > ${now}::timestamptz)`;
}

/** The job (alias `j`) is ignored in a list now. */
export function isIgnored(kind: IgnoreKind, now: Date): SQL {
  return sql`exists (select from ${JOB_IGNORES} i where i.provider_id = j.provider_id and i.job_instance_uid = j.job_instance_uid
    and i.kind = ${kind} and ${isActiveIgnore(now)})`;
}

/** Ignores a job in a list, with its audit entry. Throws 404 for a job outside the caller's scope. */
export async function insertIgnore(
  context: ChangingContext,
  jobInstanceUid: string,
  kind: IgnoreKind,
  { ignoredUntil }: { ignoredUntil?: string | undefined },
): Promise<object> {
  checkUntil(ignoredUntil, 'body.ignoredUntil', context.now());
  const until = ignoredUntil ?? null;
  const ignore = { kind, until, userId: context.actor.userId, at: context.now() };
  return changed(context, jobInstanceUid, { ignoredUntil: until }, (connection) =>
    ignoreJob(connection, context.scope, jobInstanceUid, ignore),
  );
}

/** Unignores a job in a list, with its audit entry. Throws 404 for a job outside the caller's scope. */
export function deleteIgnore(context: ChangingContext, jobInstanceUid: string, kind: IgnoreKind): Promise<object> {
  return changed(context, jobInstanceUid, undefined, (connection) =>
    unignoreJob(connection, context.scope, jobInstanceUid, kind),
  );
}

async function changed(
  context: ChangingContext,
  jobInstanceUid: string,
  after: unknown,
  work: (connection: Connection) => Promise<boolean>,
): Promise<object> {
  await change(context, { kind: 'job', id: jobInstanceUid }, async (connection) =>
    (await work(connection)) ? { result: null, after, live: ['executions.changed'] } : null,
  );
  return {};
}

/** Stores an ignore until a time or (`null`) for good. Returns whether the caller's scope has such a job. */
async function ignoreJob(
  connection: Connection,
  scope: Scope,
  jobInstanceUid: string,
  ignore: { kind: IgnoreKind; until: string | null; userId: string; at: Date },
): Promise<boolean> {
  const touched = await execute(
    connection,
    sql`insert into ${JOB_IGNORES} (provider_id, job_instance_uid, kind, ignored_until, user_id, at)
        select j.provider_id, j.job_instance_uid, ${ignore.kind}, ${ignore.until}::timestamptz, ${ignore.userId}::uuid, ${ignore.at}::timestamptz
        from ${JOBS} j where ${scope.rows('j')} and j.job_instance_uid = ${jobInstanceUid}
        on conflict (provider_id, job_instance_uid, kind)
        do update set ignored_until = excluded.ignored_until, user_id = excluded.user_id, at = excluded.at`,
  );
  return touched > 0;
}

/** Removes an ignore, if there is one. Returns whether the caller's scope has such a job. */
async function unignoreJob(
  connection: Connection,
  scope: Scope,
  jobInstanceUid: string,
  kind: IgnoreKind,
): Promise<boolean> {
  const within = sql`select from ${JOBS} j where ${scope.rows('j')} and j.job_instance_uid = ${jobInstanceUid}`;
  await execute(
    connection,
    sql`delete from ${JOB_IGNORES} i where i.provider_id = ${scope.providerId} and i.job_instance_uid = ${jobInstanceUid}
          and i.kind = ${kind} and exists (${within})`,
  );
  return (await execute(connection, within)) > 0;
}
