import { sql } from 'drizzle-orm';
import { type Connection, row } from '../foundation/database.ts';

/** Connections of a provider by how they are, each in one of the counts. */
export interface ConnectionCounts {
  works: number;
  failing: number;
  untested: number;
  off: number;
}

export async function countConnections(database: Connection, providerId: number): Promise<ConnectionCounts> {
  const counts = await row<ConnectionCounts>(
    database,
    sql`select count(*) filter (where n.is_enabled and n.health = 'ok') as works,
          count(*) filter (where n.is_enabled and n.health = 'failing') as failing,
          count(*) filter (where n.is_enabled and n.health is null) as untested, count(*) filter (where not n.is_enabled) as off
        from connections n where n.provider_id = ${providerId} and n.deleted_at is null`,
  );
  return counts ?? { works: 0, failing: 0, untested: 0, off: 0 };
}
