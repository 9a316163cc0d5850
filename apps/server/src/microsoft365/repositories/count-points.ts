import type { RepositoryCatalog } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import { execute, row, transaction } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { forgetErased } from '../erasures/forget-erased.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import type { RepositoryKey } from './repository-secrets.ts';

/** Runs that wait to end have a connection each, of the few that a worker has. */
const TURN_MS = 2_000;

type CountServices = Pick<Microsoft365Services, 'database' | 'stored'>;

/**
 * Stores which restore points and users a repository still has, as the catalog says it: after what made or removed some. One that was removed is left
 * alone. The store is not read, so that this works while it is away. Those who do it at the same time take turns: the last one read last.
 * @throws where another one takes long, as it does after erasures: runs that end do not wait for it, and the repository is measured later
 */
export async function countPoints({ database, stored }: CountServices, key: RepositoryKey): Promise<void> {
  await transaction(database, async (connection) => {
    await execute(connection, sql`set local lock_timeout = ${sql.raw(String(TURN_MS))}`);
    const found = await row<{ engineId: string }>(
      connection,
      sql`select r.engine_id as "engineId" from m365_repositories r where r.provider_id = ${key.providerId} and r.id = ${key.id} for no key update`,
    );
    if (found === null) return;
    await execute(connection, sql`set local lock_timeout = 0`);
    const catalog = await (await stored.catalog()).repository(found.engineId);
    const isOther = await replacePoints(connection, key, await catalog.listJobs());
    const isLess = await forgetErased(connection, key, await catalog.listErasures());
    if (isOther || isLess) await publish(connection, { name: 'm365-jobs.changed', providerId: key.providerId });
  });
}

type CountedJobs = Awaited<ReturnType<RepositoryCatalog['listJobs']>>;

/** @returns whether they are others now */
async function replacePoints(
  connection: PoolClient,
  { providerId, id }: RepositoryKey,
  jobs: CountedJobs,
): Promise<boolean> {
  const columnOf = (pick: (job: CountedJobs[number]) => string | number) => sql.param(jobs.map(pick));
  const removed = await execute(
    connection,
    sql`delete from m365_restore_points h where h.provider_id = ${providerId} and h.repository_id = ${id}
          and h.job <> all(${columnOf(({ job }) => job)}::text[])`,
  );
  const stored = await execute(
    connection,
    sql`insert into m365_restore_points as h (provider_id, repository_id, job, restore_points, first_at, last_at)
        select ${providerId}::int, ${id}::uuid, t.job, sum(t.points), min(t.first_at), max(t.last_at)
        from unnest(${columnOf(({ job }) => job)}::text[], ${columnOf(({ restorePoints }) => restorePoints)}::int[],
          ${columnOf(({ oldest }) => oldest.toISOString())}::timestamptz[], ${columnOf(({ newest }) => newest.toISOString())}::timestamptz[])
          as t (job, points, first_at, last_at)
        group by t.job
        on conflict (provider_id, repository_id, job) do update
          set restore_points = excluded.restore_points, first_at = excluded.first_at, last_at = excluded.last_at
          where (h.restore_points, h.first_at, h.last_at) is distinct from (excluded.restore_points, excluded.first_at, excluded.last_at)`,
  );
  return removed + stored > 0;
}
