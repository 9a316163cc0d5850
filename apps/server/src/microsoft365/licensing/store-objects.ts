import type { ListedObject } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';
import type { UncountedRun } from './uncounted-runs.ts';

/**
 * Stores which objects a restore point has, and that those without a flag are complete in it. What Microsoft no longer has (`unlisted`) is
 * left out: it cannot become older. Doing it twice, or for an earlier run after a later one, changes nothing.
 */
export async function storeObjects(
  connection: Connection,
  { providerId, repositoryId, organizationId, jobId, endedAt }: UncountedRun,
  objects: readonly ListedObject[],
  flags: ReadonlyMap<string, string>,
): Promise<void> {
  await forgetUnlisted(connection, { providerId, repositoryId, endedAt }, flags);
  const there = objects.filter(({ key }) => flags.get(key) !== 'unlisted');
  if (there.length === 0) return;
  await execute(
    connection,
    sql`insert into m365_object_points as p (provider_id, repository_id, object_key, organization_id, job_id, kind, name, seen_at, complete_at)
        select ${providerId}::int, ${repositoryId}::uuid, t.key, ${organizationId}::uuid, ${jobId}::uuid, t.kind, t.name, ${endedAt}::timestamptz,
          case when t.is_complete then ${endedAt}::timestamptz end
        from unnest(${sql.param(there.map(({ key }) => key))}::text[], ${sql.param(there.map(({ kind }) => kind))}::text[],
          ${sql.param(there.map(({ name }) => name))}::text[], ${sql.param(there.map(({ key }) => !flags.has(key)))}::bool[])
          as t (key, kind, name, is_complete)
        order by t.key
        on conflict (provider_id, repository_id, object_key) do update
          set job_id = case when excluded.seen_at >= p.seen_at then excluded.job_id else p.job_id end, name = excluded.name,
            seen_at = greatest(p.seen_at, excluded.seen_at), complete_at = greatest(p.complete_at, excluded.complete_at)`,
  );
}

/** What Microsoft no longer has is not stored any more, nor is what an earlier run stored of it. */
async function forgetUnlisted(
  connection: Connection,
  { providerId, repositoryId, endedAt }: Pick<UncountedRun, 'providerId' | 'repositoryId' | 'endedAt'>,
  flags: ReadonlyMap<string, string>,
): Promise<void> {
  const unlisted = [...flags].flatMap(([key, flag]) => (flag === 'unlisted' ? [key] : []));
  if (unlisted.length === 0) return;
  await execute(
    connection,
    sql`delete from m365_object_points p where p.provider_id = ${providerId} and p.repository_id = ${repositoryId}
          and p.object_key = any(${sql.param(unlisted)}::text[]) and p.seen_at <= ${endedAt}::timestamptz`,
  );
}

/** Forgets what a job no longer backs up: a run that read all it should is without it. */
export async function forgetUnseen(
  connection: Connection,
  { providerId, repositoryId, jobId, result, endedAt }: UncountedRun,
): Promise<void> {
  if (result !== 'Success') return;
  await execute(
    connection,
    sql`delete from m365_object_points p where p.provider_id = ${providerId} and p.repository_id = ${repositoryId} and p.job_id = ${jobId}
          and p.seen_at < ${endedAt}::timestamptz`,
  );
}
