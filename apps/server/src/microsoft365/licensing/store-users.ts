import { LICENSE_DAYS } from '@keepwatch/contract/microsoft365/licensing';
import type { RepositoryCatalog } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { type Connection, execute, type Pool, row, rows, transaction } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';
import { newId } from '../../foundation/secrets.ts';
import { markProtected } from '../people/unprotected-people.ts';
import type { CountedPart } from './counted-part.ts';
import { sumBytes } from './sum-bytes.ts';
import type { UncountedRun } from './uncounted-runs.ts';

/** Stores that a run backed up parts of users: their names, what is stored of them, and that they are licensed. Doing it twice changes nothing. */
export async function storeUsers(
  database: Pool,
  catalog: Pick<RepositoryCatalog, 'objectBytes'>,
  run: UncountedRun,
  parts: readonly CountedPart[],
  signal: AbortSignal,
): Promise<void> {
  const changed = await changedParts(database, run, parts);
  const bytes = await catalog.objectBytes(
    changed.map(({ key }) => key),
    signal,
  );
  await transaction(database, async (connection) => {
    await requireRepository(connection, run);
    const users = await upsertUsers(connection, run, parts);
    await upsertBackups(connection, run, changed, users, bytes);
    await sumBytes(connection, run.providerId, [...users.values()]);
    await extendLicences(connection, run, [...users.values()]);
    await markProtected(connection, run, [...users.keys()]);
  });
}

/** Locks the repository, so that it is not removed meanwhile: it comes before the users here as it does there. */
async function requireRepository(connection: Connection, { providerId, repositoryId }: UncountedRun): Promise<void> {
  const found = await row(
    connection,
    sql`select r.id from m365_repositories r where r.provider_id = ${providerId} and r.id = ${repositoryId} for no key update`,
  );
  if (found === null) throw notFound('m365 repository');
}

/** Those whose size may be another one than that which is stored. */
async function changedParts(connection: Connection, run: UncountedRun, parts: readonly CountedPart[]) {
  const keys = parts.map(({ key }) => key);
  const known = await rows<{ key: string; revision: number }>(
    connection,
    sql`select b.object_key as key, b.revision from m365_user_backups b
        where b.provider_id = ${run.providerId} and b.repository_id = ${run.repositoryId} and b.object_key = any(${sql.param(keys)}::text[])`,
  );
  const revisions = new Map(known.map(({ key, revision }) => [key, revision]));
  return parts.filter(({ key, revision }) => (revisions.get(key) ?? 0) < revision);
}

/** @returns the ids of their rows by their ids at Microsoft */
async function upsertUsers(
  connection: Connection,
  { providerId, organizationId }: UncountedRun,
  parts: readonly CountedPart[],
): Promise<ReadonlyMap<string, string>> {
  const people = [...new Map(parts.map((part) => [part.userId, part])).values()];
  const stored = await rows<{ id: string; objectId: string }>(
    connection,
    sql`insert into m365_protected_users as u (provider_id, id, organization_id, object_id, name, address)
        select ${providerId}::int, t.id, ${organizationId}::uuid, t.object_id, t.name, t.address
        from unnest(${sql.param(people.map(() => newId()))}::uuid[], ${sql.param(people.map(({ userId }) => userId))}::text[],
          ${sql.param(people.map(({ name }) => name))}::text[], ${sql.param(people.map(({ address }) => address))}::text[])
          as t (id, object_id, name, address)
        order by t.object_id
        on conflict (provider_id, organization_id, object_id) do update
          set name = excluded.name, address = coalesce(excluded.address, u.address)
        returning u.id, u.object_id as "objectId"`,
  );
  return new Map(stored.map(({ id, objectId }) => [objectId, id]));
}

async function upsertBackups(
  connection: Connection,
  { providerId, repositoryId, endedAt }: UncountedRun,
  parts: readonly CountedPart[],
  users: ReadonlyMap<string, string>,
  bytes: ReadonlyMap<string, number>,
): Promise<void> {
  const written = parts.flatMap((part) => {
    const user = users.get(part.userId);
    return user === undefined ? [] : [{ ...part, user, bytes: bytes.get(part.key) ?? 0 }];
  });
  if (written.length === 0) return;
  await execute(
    connection,
    sql`insert into m365_user_backups as b (provider_id, repository_id, object_key, user_id, part, revision, bytes, backed_up_at)
        select ${providerId}::int, ${repositoryId}::uuid, t.key, t.user_id, t.part, t.revision, t.bytes, ${endedAt}::timestamptz
        from unnest(${sql.param(written.map(({ key }) => key))}::text[], ${sql.param(written.map(({ user }) => user))}::uuid[],
          ${sql.param(written.map(({ part }) => part))}::text[], ${sql.param(written.map(({ revision }) => revision))}::int[],
          ${sql.param(written.map((one) => one.bytes))}::bigint[]) as t (key, user_id, part, revision, bytes)
        on conflict (provider_id, repository_id, object_key) do update
          set revision = excluded.revision, bytes = excluded.bytes, backed_up_at = excluded.backed_up_at
        where b.revision < excluded.revision`,
  );
}

/** Joins the day of the run to the licences that it continues, in whichever order runs are counted; without one a licence begins. */
async function extendLicences(
  connection: Connection,
  { providerId, endedAt }: UncountedRun,
  users: readonly string[],
): Promise<void> {
  const day = sql`${endedAt.slice(0, 10)}::date`;
  await execute(
    connection,
    sql`with seen as (
          select t.user_id from unnest(${sql.param(users)}::uuid[]) as t (user_id) where not exists (
            select from m365_license_periods p where p.provider_id = ${providerId} and p.user_id = t.user_id
              and ${day} between p.began_on and p.last_backup_on)),
        continued as (
          delete from m365_license_periods p using seen s where p.provider_id = ${providerId} and p.user_id = s.user_id
            and ${day} between p.began_on - ${LICENSE_DAYS}::int and p.last_backup_on + ${LICENSE_DAYS}::int
          returning p.user_id, p.began_on, p.last_backup_on)
        insert into m365_license_periods (provider_id, user_id, began_on, last_backup_on)
        select ${providerId}::int, s.user_id, least(min(c.began_on), ${day}), greatest(max(c.last_backup_on), ${day})
        from seen s left join continued c on c.user_id = s.user_id group by s.user_id`,
  );
}
