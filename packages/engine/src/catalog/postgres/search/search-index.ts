import type pg from 'pg';
import type { ItemVersion } from '../../../model/items.ts';
import type { CatalogWaits } from '../../catalog.ts';
import { type CopyValue, copyRows } from '../copy-rows.ts';
import { itemHash, VERSION_COLUMNS, type VersionRow, versionOf } from '../item-record.ts';
import { type Connection, row, rows, transaction } from '../sessions/connection.ts';
import { sortDate } from '../sort-keys.ts';
import { preventReplacement } from '../successor.ts';
import { hasAttachments, itemWords } from './item-words.ts';

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
  /** Those that the item's details do not have. */
  attachmentNames?: readonly string[];
}

/** Makes versions searchable; one that is gone meanwhile is passed over, one that was indexed before gets the new words. */
export function indexWords(
  pool: pg.Pool,
  repository: number,
  texts: readonly VersionText[],
  { onWait }: CatalogWaits,
): Promise<void> {
  return transaction(pool, async (connection) => {
    await preventReplacement(pool, connection, repository, { onWait });
    const objects = await lockObjects(connection, repository, [...new Set(texts.map(({ object }) => object))]);
    const known = texts.flatMap((text) => {
      const object = objects.get(text.object);
      return object === undefined ? [] : [{ ...text, object, hash: itemHash(text.item) }];
    });
    const asked = [
      known.map(({ object }) => object),
      known.map(({ hash }) => hash),
      known.map(({ firstRevision }) => firstRevision),
    ];
    const found = await takeWaiting(connection, asked);
    await copyRows(
      connection,
      'search_entries (object, repository, item, first, last, next, kind, size, sort_date, has_attachments, words)',
      found.map((one) => entryRow(repository, one, known[one.place])),
    );
  });
}

/**
 * Merges the words that were written last, of all repositories, into the index: a search for a rare word reads all of them in every period.
 * https://www.postgresql.org/docs/18/gin.html#GIN-FAST-UPDATE
 */
export async function mergeIndex(connection: Connection): Promise<void> {
  await connection.query(`SELECT gin_clean_pending_list('search_entries_words')`);
}

/**
 * Neither may a commit end a version between the reading of its end and the writing of its words, nor another index the same versions
 * meanwhile: it would not see the entries that it is to replace. In the order in which commits lock.
 */
async function lockObjects(
  connection: pg.PoolClient,
  repository: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const locked = await rows<{ id: number; key: string }>(
    connection,
    'SELECT id, key FROM objects WHERE repository = $1 AND key = ANY ($2) ORDER BY key FOR NO KEY UPDATE',
    [repository, keys],
  );
  return new Map(locked.map(({ id, key }) => [key, id]));
}

interface WaitingRow extends VersionRow {
  object: number;
  item: string;
  next: number;
  place: number;
}

/** The versions asked for, as far as they are still there, which from now on wait no longer; entries that they had before are gone. */
function takeWaiting(connection: pg.PoolClient, asked: readonly unknown[]): Promise<WaitingRow[]> {
  return rows<WaitingRow>(
    connection,
    `WITH asked AS MATERIALIZED (
       SELECT * FROM unnest($1::integer[], $2::uuid[], $3::integer[]) WITH ORDINALITY AS asked (object, item, first, place)),
     waited AS (
       DELETE FROM unindexed u USING asked WHERE u.object = asked.object AND u.item = asked.item AND u.first = asked.first),
     replaced AS (
       DELETE FROM search_entries e USING asked WHERE e.object = asked.object AND e.item = asked.item AND e.first = asked.first)
     SELECT DISTINCT ON (v.object, v.item, v.first) ${VERSION_COLUMNS}, v.object, v.item, v.next, asked.place::integer - 1 AS place
     FROM asked JOIN item_versions v ON v.object = asked.object AND v.item = asked.item AND v.first = asked.first
     JOIN containers c ON c.id = v.container ORDER BY v.object, v.item, v.first, asked.place DESC`,
    [...asked],
  );
}

function entryRow(repository: number, one: WaitingRow, known: Omit<VersionText, 'object'> | undefined): CopyValue[] {
  const version = versionOf(one);
  const { object, item, first, last, next, kind, size } = one;
  const words = itemWords(repository, object, version, known?.text ?? '', known?.attachmentNames);
  return [object, repository, item, first, last, next, kind, size, sortDate(version), hasAttachments(version), words];
}
