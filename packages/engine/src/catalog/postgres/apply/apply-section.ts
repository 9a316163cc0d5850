import type pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';
import type { StoredItem } from '../../../model/items.ts';
import type { Commit, Erasure, ObjectSection } from '../../../repository/commit.ts';
import { type CopyValue, copyRows } from '../copy-rows.ts';
import { itemHash, OPEN_END, parentHash, recordOf } from '../item-record.ts';
import { eraseObject, recordErasure } from '../retention/erasures.ts';
import { foundAsBefore } from '../search/same-words.ts';
import { row, rows } from '../sessions/connection.ts';
import { newestDate, sortDate, sortName } from '../sort-keys.ts';
import { storable } from './apply-versions.ts';
import { type SectionChanges, sumOf } from './section-changes.ts';

/** What the steps below share. */
interface Target {
  connection: pg.PoolClient;
  repository: number;
  object: number;
  revision: number;
  at: Date;
}

/**
 * Brings an object to its next revision.
 * @returns that revision: a later one than the section's where another commit has brought that one already
 * @throws `damaged` when a revision before it is missing, unless it is to be applied over gaps
 */
export async function applySection(
  connection: pg.PoolClient,
  repository: number,
  section: ObjectSection,
  commit: Pick<Commit, 'run' | 'sequence'>,
  isOverGaps: boolean,
): Promise<number> {
  const erasure = section.changes.find((change) => change.type === 'erased');
  if (erasure !== undefined) return applyErasure(connection, repository, section, commit, isOverGaps, erasure);
  const changes = sumOf(section.changes);
  const next = await nextRevision(connection, repository, section, newestDate(changes.puts.values()));
  const object = next.id;
  const revision = await overGap(connection, section, next, commit, isOverGaps);
  const target: Target = { connection, repository, object, revision, at: section.at };
  // A new object has nothing to end.
  const isNew = revision === 1;
  const searchable = isNew ? new Set<string>() : await foundAsBefore(connection, object, changes.puts);
  if (!isNew) await endVersions(target, changes, searchable);
  await addVersions(target, [...changes.puts.values()], searchable);
  if (next.revision === section.revision) await applyCursors(target, changes.cursors);
  else await connection.query('DELETE FROM cursors WHERE object = $1', [object]);
  await applyLost(target, changes);
  return revision;
}

/** An object that was erased is at its next revision, and there is nothing of it. */
async function applyErasure(
  connection: pg.PoolClient,
  repository: number,
  section: ObjectSection,
  commit: Pick<Commit, 'run' | 'sequence'>,
  isOverGaps: boolean,
  erasure: Erasure,
): Promise<number> {
  const next = await nextRevision(connection, repository, section, newestDate([]));
  const revision = await overGap(connection, section, next, commit, isOverGaps);
  await eraseObject(connection, { id: next.id, revision });
  await recordErasure(connection, repository, commit.run, section, revision, erasure);
  return revision;
}

/**
 * Brings an object over revisions that are missing before a section.
 * @returns the revision under which the section is stored
 */
async function overGap(
  connection: pg.PoolClient,
  section: ObjectSection,
  next: { id: number; revision: number },
  commit: Pick<Commit, 'run' | 'sequence'>,
  isOverGaps: boolean,
): Promise<number> {
  if (next.revision >= section.revision) return next.revision;
  if (!isOverGaps) throw gapBefore(section, next.revision, `commit ${commit.sequence} of run ${commit.run}`);
  await connection.query('UPDATE objects SET revision = $2 WHERE id = $1', [next.id, section.revision]);
  return section.revision;
}

function gapBefore({ kind, name, revision }: ObjectSection, next: number, place: string): EngineError {
  return new EngineError(
    'damaged',
    `The ${place} has revision ${revision} of ${kind} '${name}', where ${next} comes next: a commit is missing. Rebuild the catalog from the repository; should that say the same, verify the repository.`,
  );
}

async function nextRevision(
  connection: pg.PoolClient,
  repository: number,
  section: ObjectSection,
  newest: number,
): Promise<{ id: number; revision: number }> {
  const { key, organizationId, kind, id, name, owner, address } = section;
  const known = await row<{ id: number; revision: number }>(
    connection,
    `INSERT INTO objects (repository, key, organization, kind, object_id, name, owner, address, revision, newest)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9)
     ON CONFLICT (repository, key) DO UPDATE
     SET organization = excluded.organization, object_id = excluded.object_id, name = excluded.name, owner = excluded.owner, address = excluded.address, revision = objects.revision + 1,
       newest = greatest(objects.newest, excluded.newest)
     RETURNING id, revision`,
    [
      repository,
      key,
      organizationId,
      kind,
      id,
      storable(name),
      owner && storable(owner),
      address && storable(address),
      newest,
    ],
  );
  if (known !== null) return known;
  throw new Error(`The object ${key} was stored in the catalog and is not in it.`);
}

/**
 * Ends what is replaced or removed. What was removed earlier and comes again is no longer the newest of its item.
 * @param searchable what is found as before: its entries go on
 */
async function endVersions(
  { connection, object, revision, at }: Target,
  changes: SectionChanges,
  searchable: ReadonlySet<string>,
): Promise<void> {
  const replaced = [...changes.puts.keys()];
  const removed = [...changes.removes];
  if (replaced.length + removed.length === 0) return;
  for (const [table, ids, ended] of [
    ['item_versions', replaced, ', ended_at = coalesce(ended_at, $5)'],
    ['search_entries', replaced.filter((id) => !searchable.has(id)), ''],
  ] as const) {
    await connection.query(
      `UPDATE ${table} v SET last = least(v.last, $2 - 1), next = changed.next${ended}
       FROM (SELECT item, $2::integer AS next FROM unnest($3::uuid[]) AS item
             UNION ALL SELECT item, ${OPEN_END} FROM unnest($4::uuid[]) AS item) changed
       WHERE v.object = $1 AND v.item = changed.item AND v.next = ${OPEN_END}`,
      [object, revision, ids.map(itemHash), removed.map(itemHash), ...(ended === '' ? [] : [at])],
    );
  }
}

async function addVersions(
  target: Target,
  items: readonly StoredItem[],
  searchable: ReadonlySet<string>,
): Promise<void> {
  if (items.length === 0) return;
  const { connection, repository, object, revision } = target;
  const containers = await containersOf(target, items);
  const hashed = items.map((item) => ({ item, hash: itemHash(item.id) }));
  await copyRows(
    connection,
    'item_versions (object, container, item, kind, sort_name, sort_date, size, first, last, next, record)',
    versionRows(target, containers, hashed),
  );
  await copyRows(
    connection,
    'unindexed (repository, object, item, first)',
    hashed.filter(({ item }) => !searchable.has(item.id)).map(({ hash }) => [repository, object, hash, revision]),
  );
}

/** Made one by one, as they are sent: the records of a commit need not be in memory at once. */
function* versionRows(
  target: Target,
  containers: ReadonlyMap<string | null, number>,
  items: readonly { item: StoredItem; hash: string }[],
): Generator<CopyValue[]> {
  for (const { item, hash } of items) yield versionRow(target, containers.get(item.parentId) ?? 0, item, hash);
}

function versionRow({ object, revision }: Target, container: number, item: StoredItem, hash: string): CopyValue[] {
  const sorts = [storable(sortName(item.name)), sortDate(item), item.sizeBytes];
  return [object, container, hash, item.kind, ...sorts, revision, OPEN_END, OPEN_END, recordOf(item)];
}

/** The numbers of all parents the items name; those that were never named before get one. */
async function containersOf(
  { connection, object }: Target,
  items: readonly StoredItem[],
): Promise<Map<string | null, number>> {
  const parents = [...new Set(items.map(({ parentId }) => parentId))];
  const hashes = parents.map(parentHash);
  const holders = parents.map((id) => (id === null ? null : JSON.stringify(id)));
  // Asked first: ON CONFLICT alone would use up a number a time.
  const found = await rows<{ id: number; holder: string | null }>(
    connection,
    `WITH named AS (SELECT item, holder FROM unnest($2::uuid[], $3::text[]) AS named (item, holder)),
     added AS (
       INSERT INTO containers (object, item, holder)
       SELECT $1, item, holder FROM named WHERE NOT EXISTS (SELECT FROM containers c WHERE c.object = $1 AND c.item = named.item)
       RETURNING id, holder)
     SELECT id, holder FROM added
     UNION ALL SELECT c.id, c.holder FROM containers c JOIN named ON c.object = $1 AND c.item = named.item`,
    [object, hashes, holders],
  );
  return new Map(found.map(({ id, holder }) => [holder === null ? null : JSON.parse(holder), id]));
}

async function applyCursors({ connection, object }: Target, cursors: SectionChanges['cursors']): Promise<void> {
  if (cursors.size === 0) return;
  const remaining = [...cursors].filter((entry) => entry[1] !== null);
  await connection.query('DELETE FROM cursors WHERE object = $1 AND scope = ANY ($2) AND NOT scope = ANY ($3)', [
    object,
    [...cursors.keys()],
    remaining.map(([scope]) => scope),
  ]);
  await connection.query(
    `INSERT INTO cursors (object, scope, value) SELECT $1, scope, value FROM unnest($2::text[], $3::text[]) AS c (scope, value)
     ON CONFLICT (object, scope) DO UPDATE SET value = excluded.value`,
    [object, remaining.map(([scope]) => scope), remaining.map(([, value]) => value)],
  );
}

async function applyLost({ connection, object }: Target, { lost, found }: SectionChanges): Promise<void> {
  if (found.size > 0) {
    await connection.query('DELETE FROM lost_items WHERE object = $1 AND item = ANY ($2::uuid[])', [
      object,
      [...found].map(itemHash),
    ]);
  }
  if (lost.size === 0) return;
  const records = [...lost.values()].map(({ id, kind, name, parentId, reason }) =>
    JSON.stringify({ id, kind, name, parentId, reason }),
  );
  await connection.query(
    `INSERT INTO lost_items (object, item, record) SELECT $1, item, record FROM unnest($2::uuid[], $3::text[]) AS l (item, record)
     ON CONFLICT (object, item) DO UPDATE SET record = excluded.record`,
    [object, [...lost.keys()].map(itemHash), records],
  );
}
