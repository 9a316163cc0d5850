import { sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../../foundation/database.ts';
import type { RepositoryKey } from '../repositories/repository-secrets.ts';
import { sumBytes } from './sum-bytes.ts';

/**
 * Takes all that a repository had out of what is stored of users. Their licences stay: they were backed up. A restore point whose users are not counted
 * yet never will be.
 */
export async function forgetRepository(connection: Connection, { providerId, id }: RepositoryKey): Promise<void> {
  const gone = await rows<{ userId: string }>(
    connection,
    sql`delete from m365_user_backups b where b.provider_id = ${providerId} and b.repository_id = ${id} returning b.user_id as "userId"`,
  );
  await sumBytes(connection, providerId, [...new Set(gone.map(({ userId }) => userId))]);
  await execute(
    connection,
    sql`update m365_job_sessions s set count_users_at = 'infinity' where s.restore_point is not null and s.count_users_at < 'infinity'
          and s.provider_id = ${providerId} and s.repository_id = ${id}`,
  );
}
