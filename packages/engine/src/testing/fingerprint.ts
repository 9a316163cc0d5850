import { type Connection, rows } from '../catalog/postgres/sessions/connection.ts';

const VERSIONS =
  'item_versions v JOIN objects o ON o.id = v.object AND o.repository = $1 JOIN containers c ON c.id = v.container';

/**
 * For each part of the catalog its tables and what commits brought of it: no numbers of this database, no words. Instants
 * as seconds, since their texts depend on a setting.
 */
const PARTS: Record<string, readonly [from: string, columns: string]> = {
  runs: [
    'runs r WHERE r.repository = $1',
    'r.run, r.last_sequence, r.is_open, r.kind, r.job, r.job_name, r.organization, extract(epoch FROM r.started_at), r.keep_days, r.says_keep_days, r.closed_by',
  ],
  ends: [
    'runs r WHERE r.repository = $1 AND r.finished_at IS NOT NULL',
    'r.run, r.outcome, extract(epoch FROM r.finished_at), r.counts, r.findings, r.is_expired',
  ],
  restorePointObjects: [
    'restore_point_objects p JOIN runs r ON r.id = p.run AND r.repository = $1 JOIN objects o ON o.id = p.object',
    'r.run, o.key, p.revision',
  ],
  objects: [
    'objects o WHERE o.repository = $1',
    'o.key, o.organization, o.kind, o.object_id, o.name, o.owner, o.address, o.revision',
  ],
  cursors: ['cursors k JOIN objects o ON o.id = k.object AND o.repository = $1', 'o.key, k.scope, k.value'],
  lostItems: ['lost_items l JOIN objects o ON o.id = l.object AND o.repository = $1', 'o.key, l.record'],
  versions: [
    VERSIONS,
    'o.key, c.holder, v.kind, v.size, v.sort_name, v.sort_date, v.first, v.last, v.next, extract(epoch FROM v.ended_at), v.record',
  ],
  packs: ['packs p WHERE p.repository = $1 AND NOT p.is_retired', 'p.name, p.size'],
  chunks: [
    'chunks k JOIN packs p ON p.id = k.pack WHERE k.repository = $1',
    'k.chunk, p.name, k.pack_offset, k.stored_bytes, k.plain_bytes, k.is_compressed, k.group_start',
  ],
  expiry: [
    'repositories r LEFT JOIN job_expiry e ON e.repository = r.id WHERE r.id = $1',
    'extract(epoch FROM r.expired_before), e.organization, e.job, extract(epoch FROM e.before)',
  ],
  erasures: [
    'erasures e WHERE e.repository = $1',
    'e.key, e.revision, e.kind, e.run, extract(epoch FROM e.erased_at), e.erased_by, e.reason, e.items, e.bytes',
  ],
  damagedChunks: ['damaged_chunks d WHERE d.repository = $1', 'd.pack, d.chunk'],
};

/** What depends on the order in which runs were applied, too. */
const ORDERED_PARTS: typeof PARTS = {
  followed: ['runs r WHERE r.repository = $1', 'r.run, r.followed'],
  newest: [PARTS['restorePointObjects']?.[0] ?? '', 'r.run, o.key, p.newest'],
  containers: ['containers c JOIN objects o ON o.id = c.object AND o.repository = $1', 'o.key, c.item, c.holder'],
  unindexed: ['unindexed u JOIN objects o ON o.id = u.object AND o.repository = $1', 'o.key, u.item, u.first'],
};

export function orderedFingerprint(connection: Connection, repository: number): Promise<Record<string, string>> {
  return digestsOf(connection, repository, { ...PARTS, ...ORDERED_PARTS });
}

/** For each part `<count>:<digest>`: the sum of the hashes of its rows, so that their order does not count. */
export async function fingerprint(connection: Connection, repository: number): Promise<Record<string, string>> {
  return { ...(await digestsOf(connection, repository, PARTS)), bytes: await bytesOf(connection, repository) };
}

async function digestsOf(
  connection: Connection,
  repository: number,
  of: typeof PARTS,
): Promise<Record<string, string>> {
  const parts = Object.entries(of).map(
    ([part, [from, columns]]) =>
      `SELECT '${part}' AS part, count(*) || ':' || coalesce(sum(hashtextextended(jsonb_build_array(${columns})::text, 0)), 0) AS digest FROM ${from}`,
  );
  const digests = await rows<{ part: string; digest: string }>(connection, parts.join(' UNION ALL '), [repository]);
  return Object.fromEntries(digests.map(({ part, digest }) => [part, digest]));
}

/** Sums that a person can compare with what a run reported. */
async function bytesOf(connection: Connection, repository: number): Promise<string> {
  const [sum] = await rows<{ items: string; packs: string }>(
    connection,
    `SELECT (SELECT coalesce(sum(v.size), 0)::text FROM ${VERSIONS}) AS items,
       (SELECT coalesce(sum(size), 0)::text FROM packs WHERE repository = $1 AND NOT is_retired) AS packs`,
    [repository],
  );
  return `items ${sum?.items}, packs ${sum?.packs}`;
}
