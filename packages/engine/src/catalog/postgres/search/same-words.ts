import type pg from 'pg';
import type { StoredItem } from '../../../model/items.ts';
import { itemHash, itemOf, OPEN_END, VERSION_COLUMNS, type VersionRow } from '../item-record.ts';
import { rows } from '../sessions/connection.ts';
import { sortDate } from '../sort-keys.ts';
import { hasAttachments } from './item-words.ts';

/**
 * Those of the items put that are found by the same words as their versions before: a message that was read, flagged or moved. Their
 * entries stay as they are; nothing is read or indexed again.
 */
export async function foundAsBefore(
  connection: pg.PoolClient,
  object: number,
  puts: ReadonlyMap<string, StoredItem>,
): Promise<ReadonlySet<string>> {
  if (puts.size === 0) return new Set();
  const indexed = await rows<VersionRow>(
    connection,
    `SELECT ${VERSION_COLUMNS} FROM unnest($2::uuid[]) AS put (item)
     JOIN search_entries e ON e.object = $1 AND e.item = put.item AND e.last = ${OPEN_END}
     JOIN item_versions v ON v.object = $1 AND v.item = put.item AND v.last = ${OPEN_END}
     JOIN containers c ON c.id = v.container`,
    [object, [...puts.keys()].map(itemHash)],
  );
  const same = indexed.map(itemOf).filter((before) => {
    const after = puts.get(before.id);
    return after !== undefined && searchedOf(before) === searchedOf(after);
  });
  return new Set(same.map(({ id }) => id));
}

/** All that a search knows of an item, but for when it was there: item-words.ts, and of search/words-of.ts the content that gives the text. */
function searchedOf(item: StoredItem): string {
  const { kind, name, sizeBytes, details, contents } = item;
  const { from, to, cc, bcc, attachmentNames } = details;
  const content = (named: string) => contents.find((one) => one.name === named) ?? null;
  const text = content('mime') ?? content('properties');
  const people = [from, to, cc, bcc, attachmentNames].map((one) => one ?? null);
  return JSON.stringify([kind, name, sizeBytes, sortDate(item), hasAttachments(item), people, text]);
}
