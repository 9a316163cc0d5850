import type pg from 'pg';
import type { ItemVersion } from '../../model/items.ts';
import { type Connection, row, rows, transaction } from './connection.ts';
import { itemHash, VERSION_COLUMNS, type VersionRow, versionOf } from './item-record.ts';
import { itemWords } from './item-words.ts';
import { sortDate } from './sort-keys.ts';

/** Versions whose words are not indexed yet, oldest first. */
export async function unindexed(
  connection: Connection,
  repository: number,
  limit: number,
): Promise<{ object: string; version: ItemVersion }[]> {
  const found = await rows<VersionRow & { key: string }>(
    connection,
    `SELECT ${VERSION_COLUMNS}, o.key
     FROM (SELECT * FROM unindexed WHERE repository = $1 ORDER BY id LIMIT $2) u
     JOIN objects o ON o.id = u.object
     JOIN item_versions v ON v.object = u.object AND v.item = u.item AND v.first = u.first
     JOIN containers c ON c.id = v.container ORDER BY u.id`,
    [repository, limit],
  );
  return found.map((one) => ({ object: one.key, version: versionOf(one) }));
}

export async function countUnindexed(connection: Connection, repository: number): Promise<number> {
  const counted = await row<{ waiting: number }>(
    connection,
    'SELECT count(*) AS waiting FROM unindexed WHERE repository = $1',
    [repository],
  );
  return counted?.waiting ?? 0;
}

/** The text of a version, to be searched with its names and people. */
export interface VersionText {
  object: string;
  item: string;
  firstRevision: number;
  text: string;
}

/** Makes versions searchable; one that is gone meanwhile is passed over, one that was indexed before gets the new words. */
export function indexWords(pool: pg.Pool, repository: number, texts: readonly VersionText[]): Promise<void> {
  return transaction(pool, async (connection) => {
    const objects = await lockObjects(connection, repository, [...new Set(texts.map(({ object }) => object))]);
    for (const [key, ofObject] of Map.groupBy(texts, ({ object }) => object)) {
      const object = objects.get(key);
      if (object !== undefined) await indexObject(connection, repository, object, ofObject);
    }
  });
}

/** No commit may end a version between the reading of its end and the writing of its words; in the order in which commits lock. */
async function lockObjects(
  connection: pg.PoolClient,
  repository: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const locked = await rows<{ id: number; key: string }>(
    connection,
    'SELECT id, key FROM objects WHERE repository = $1 AND key = ANY ($2) ORDER BY key FOR SHARE',
    [repository, keys],
  );
  return new Map(locked.map(({ id, key }) => [key, id]));
}

interface IndexedRow extends VersionRow {
  item: string;
  place: number;
}

async function indexObject(
  connection: pg.PoolClient,
  repository: number,
  object: number,
  texts: readonly VersionText[],
): Promise<void> {
  const asked = [object, texts.map(({ item }) => itemHash(item)), texts.map(({ firstRevision }) => firstRevision)];
  const found = await rows<IndexedRow>(
    connection,
    `SELECT ${VERSION_COLUMNS}, v.item, asked.place::integer - 1 AS place
     FROM unnest($2::uuid[], $3::integer[]) WITH ORDINALITY AS asked (item, first, place)
     JOIN item_versions v ON v.object = $1 AND v.item = asked.item AND v.first = asked.first
     JOIN containers c ON c.id = v.container`,
    asked,
  );
  const entries = found.map((one) => entryOf(repository, one, texts[one.place]?.text ?? ''));
  await connection.query(
    `INSERT INTO search_entries (object, repository, item, first, last, next, kind, size, sort_date, has_attachments, words)
     SELECT $1, $2, v.item, v.first, v.last, v.next, v.kind, v.size, entry.sort_date, entry.has_attachments, entry.words
     FROM unnest($3::uuid[], $4::integer[], $5::bigint[], $6::boolean[], $7::tsvector[])
       AS entry (item, first, sort_date, has_attachments, words)
     JOIN item_versions v ON v.object = $1 AND v.item = entry.item AND v.first = entry.first
     ON CONFLICT (object, item, first) DO UPDATE SET words = excluded.words`,
    [object, repository, ...columnsOf(entries)],
  );
  await connection.query(
    `DELETE FROM unindexed u USING unnest($2::uuid[], $3::integer[]) AS done (item, first)
     WHERE u.object = $1 AND u.item = done.item AND u.first = done.first`,
    asked,
  );
}

function entryOf(repository: number, one: IndexedRow, text: string) {
  const version = versionOf(one);
  return {
    item: one.item,
    first: one.first,
    date: sortDate(version),
    hasAttachments: version.details.hasAttachments ?? (version.details.attachmentNames ?? []).length > 0,
    words: itemWords(repository, version, text),
  };
}

function columnsOf(entries: readonly ReturnType<typeof entryOf>[]): unknown[] {
  return [
    entries.map(({ item }) => item),
    entries.map(({ first }) => first),
    entries.map(({ date }) => date),
    entries.map(({ hasAttachments }) => hasAttachments),
    entries.map(({ words }) => words),
  ];
}
