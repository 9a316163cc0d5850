import { type SQL, sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';

/** How many restore points of a job (alias `j`) there are, in whichever repository. */
export const POINTS_OF_JOB: SQL = sql`(select coalesce(sum(k.restore_points), 0)::int from m365_restore_points k
  where k.provider_id = j.provider_id and k.job = j.id::text)`;

/** Whether the repository that a job (alias `j`) writes into has a restore point of it. */
export const HAS_POINT: SQL = sql`exists (select from m365_restore_points k
  where k.provider_id = j.provider_id and k.repository_id = j.repository_id and k.job = j.id::text)`;

/** The same of one job. */
export async function hasPoint(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
): Promise<boolean> {
  const found = await row(
    connection,
    sql`select j.id from m365_jobs j where j.provider_id = ${providerId} and j.id = ${id} and ${HAS_POINT}`,
  );
  return found !== null;
}
