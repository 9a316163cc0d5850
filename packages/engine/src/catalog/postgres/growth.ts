import type { GrowthDay, GrowthFilter, Usage } from '../catalog.ts';
import { OPEN_END } from './item-record.ts';
import { IS_THERE } from './objects.ts';
import { type Connection, row, rows } from './sessions/connection.ts';

/** What is stored now, of the repository (`null`) or of one organization in it. */
export async function usageOf(connection: Connection, repository: number, organization: string | null): Promise<Usage> {
  const items = await row<{ objects: number; items: number; bytes: number }>(
    connection,
    `SELECT count(*) AS objects, coalesce(sum(v.items), 0) AS items, coalesce(sum(v.bytes), 0) AS bytes
     FROM objects o CROSS JOIN LATERAL (
       SELECT count(*) AS items, coalesce(sum(size), 0) AS bytes FROM item_versions WHERE object = o.id AND last = ${OPEN_END}) v
     WHERE o.repository = $1 AND ${IS_THERE} AND ($2::text IS NULL OR o.organization = $2)`,
    [repository, organization],
  );
  const points = await row<{ count: number; oldest: Date | null; newest: Date | null }>(
    connection,
    `SELECT count(*) AS count, min(finished_at) AS oldest, max(finished_at) AS newest FROM runs r
     WHERE repository = $1 AND kind = 'backup' AND finished_at IS NOT NULL AND NOT is_expired
       AND ($2::text IS NULL OR organization = $2) AND EXISTS (SELECT FROM restore_point_objects WHERE run = r.id)`,
    [repository, organization],
  );
  const packs = await row<{ bytes: number }>(
    connection,
    'SELECT coalesce(sum(size), 0) AS bytes FROM packs WHERE repository = $1 AND NOT is_retired',
    [repository],
  );
  return {
    objects: items?.objects ?? 0,
    items: items?.items ?? 0,
    bytes: items?.bytes ?? 0,
    restorePoints: points?.count ?? 0,
    oldestRestorePoint: points?.oldest ?? null,
    newestRestorePoint: points?.newest ?? null,
    storedBytes: organization === null ? (packs?.bytes ?? 0) : null,
  };
}

/** The bytes of the current items of some objects. */
export async function objectBytes(
  connection: Connection,
  repository: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await rows<{ key: string; bytes: number }>(
    connection,
    `SELECT o.key, v.bytes FROM objects o CROSS JOIN LATERAL (
       SELECT coalesce(sum(size), 0) AS bytes FROM item_versions WHERE object = o.id AND last = ${OPEN_END}) v
     WHERE o.repository = $1 AND o.key = ANY ($2) AND ${IS_THERE}`,
    [repository, keys],
  );
  return new Map(found.map(({ key, bytes }) => [key, bytes]));
}

/** What the backups of a time brought, day by day. The numbers are those that each run ended with, and stay when its restore point expires. */
export function growthOf(
  connection: Connection,
  repository: number,
  { organizationId, job, from, to }: GrowthFilter,
): Promise<GrowthDay[]> {
  return rows<GrowthDay>(
    connection,
    `SELECT to_char(finished_at, 'YYYY-MM-DD') AS day, count(*) AS runs,
       sum((counts::json ->> 'itemsRead')::bigint) AS "itemsRead", sum((counts::json ->> 'bytesRead')::bigint) AS "bytesRead",
       sum((counts::json ->> 'bytesStored')::bigint) AS "bytesStored"
     FROM runs WHERE repository = $1 AND kind = 'backup' AND finished_at >= $2 AND finished_at < $3
       AND ($4::text IS NULL OR organization = $4) AND ($5::text IS NULL OR job = $5)
     GROUP BY day ORDER BY day`,
    [repository, from, to, organizationId ?? null, job ?? null],
  );
}
