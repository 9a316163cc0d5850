import type { RepositoryCatalog } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../../foundation/database.ts';
import { announce } from '../../foundation/outbox/domain-events.ts';
import { sumBytes } from '../licensing/sum-bytes.ts';
import type { RepositoryKey } from '../repositories/repository-secrets.ts';
import { namesOf } from './erased-names.ts';
import { objectsErased } from './erasure-events.ts';
import { forgetRecords } from './forget-records.ts';

type Erased = Awaited<ReturnType<RepositoryCatalog['listErasures']>>;

/**
 * Takes what was erased from a repository out of all that is stored of it: sizes, ages, names and addresses of people, and lines that name them. Licences
 * stay, without a name where no other repository has anything of the person. Backed up again after that, an object has a later revision.
 * @returns whether there was any
 */
export async function forgetErased(
  connection: Connection,
  repository: RepositoryKey,
  erased: Erased,
): Promise<boolean> {
  if (erased.length === 0) return false;
  const objects = await removeObjects(connection, repository, erased);
  const users = await removeBackups(connection, repository, erased);
  await sumBytes(connection, repository.providerId, users);
  const isNew = await follow(connection, repository, erased.length);
  if (!isNew && objects.length === 0 && users.length === 0) return false;
  await forgetRecords(connection, repository, await namesOf(connection, repository, { objects, users }));
  await removeNames(connection, repository, users);
  const keys = erased.map(({ key }) => key);
  await announce(connection, objectsErased, repository, { keys: [...new Set(keys)] });
  return true;
}

/** @returns the names of objects that were there */
async function removeObjects(connection: Connection, { providerId, id }: RepositoryKey, erased: Erased) {
  const gone = await rows<{ name: string }>(
    connection,
    sql`delete from m365_object_points p
        using unnest(${sql.param(erased.map(({ key }) => key))}::text[], ${sql.param(erased.map(({ at }) => at.toISOString()))}::timestamptz[]) as e (key, at)
        where p.provider_id = ${providerId} and p.repository_id = ${id} and p.object_key = e.key and p.seen_at <= e.at
        returning p.name`,
  );
  return gone.map(({ name }) => name);
}

/** @returns the users of whom something was there */
async function removeBackups(connection: Connection, { providerId, id }: RepositoryKey, erased: Erased) {
  const gone = await rows<{ userId: string }>(
    connection,
    sql`delete from m365_user_backups b
        using unnest(${sql.param(erased.map(({ key }) => key))}::text[], ${sql.param(erased.map(({ revision }) => revision))}::int[]) as e (key, revision)
        where b.provider_id = ${providerId} and b.repository_id = ${id} and b.object_key = e.key and b.revision <= e.revision
        returning b.user_id as "userId"`,
  );
  return [...new Set(gone.map(({ userId }) => userId))];
}

/** @returns whether there are erasures that were not followed yet */
async function follow(connection: Connection, { providerId, id }: RepositoryKey, erasures: number): Promise<boolean> {
  const followed = await execute(
    connection,
    sql`update m365_repositories r set erasures_followed = ${erasures}
        where r.provider_id = ${providerId} and r.id = ${id} and r.erasures_followed <> ${erasures}`,
  );
  return followed > 0;
}

const ERASED_NAME = 'Erased person';

/** Those of whom nothing is left have no name either: a later backup brings it again. */
async function removeNames(
  connection: Connection,
  { providerId }: RepositoryKey,
  users: readonly string[],
): Promise<void> {
  await execute(
    connection,
    sql`update m365_protected_users u set name = ${ERASED_NAME}, address = null
        where u.provider_id = ${providerId} and u.id = any(${sql.param(users)}::uuid[])
          and not exists (select from m365_user_backups b where b.provider_id = u.provider_id and b.user_id = u.id)`,
  );
}
