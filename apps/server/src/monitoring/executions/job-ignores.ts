import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';

/** Lists from which a person may leave a job out. */
export type IgnoreKind = 'didnt-run' | 'disabled';

/** An ignore (alias `i`) that holds now. */
export function holdsNow(now: Date): SQL {
  return sql`(i.ignored_until is null or i.ignored_until > ${now}::timestamptz)`;
}

/** The job (alias `j`) is left out of a list now. */
export function isLeftOut(kind: IgnoreKind, now: Date): SQL {
  return sql`exists (select from job_ignores i where i.provider_id = j.provider_id and i.job_instance_uid = j.job_instance_uid
    and i.kind = ${kind} and ${holdsNow(now)})`;
}

/** Leaves a job out of a list, until an instant or (`null`) for good. Gives whether there is such a job within reach. */
export async function ignoreJob(
  connection: Connection,
  scope: Scope,
  jobInstanceUid: string,
  ignore: { kind: IgnoreKind; until: string | null; userId: string; at: Date },
): Promise<boolean> {
  const touched = await execute(
    connection,
    sql`insert into job_ignores (provider_id, job_instance_uid, kind, ignored_until, user_id, at)
        select j.provider_id, j.job_instance_uid, ${ignore.kind}, ${ignore.until}::timestamptz, ${ignore.userId}::uuid, ${ignore.at}::timestamptz
        from jobs j where ${scope.rows('j')} and j.job_instance_uid = ${jobInstanceUid}
        on conflict (provider_id, job_instance_uid, kind)
        do update set ignored_until = excluded.ignored_until, user_id = excluded.user_id, at = excluded.at`,
  );
  return touched > 0;
}

/** Shows the job again. Gives whether there is such a job within reach; one that was not ignored stays as it is. */
export async function unignoreJob(
  connection: Connection,
  scope: Scope,
  jobInstanceUid: string,
  kind: IgnoreKind,
): Promise<boolean> {
  const within = sql`select from jobs j where ${scope.rows('j')} and j.job_instance_uid = ${jobInstanceUid}`;
  await execute(
    connection,
    sql`delete from job_ignores i where i.provider_id = ${scope.providerId} and i.job_instance_uid = ${jobInstanceUid}
          and i.kind = ${kind} and exists (${within})`,
  );
  return (await execute(connection, within)) > 0;
}
