import type pg from 'pg';
import type { StoredItem } from '../../../model/items.ts';
import { type ChangedObject, type FoundAsBefore, itemKey } from '../apply/apply-versions.ts';
import { itemOf, OPEN_END, VERSION_COLUMNS, type VersionRow } from '../item-record.ts';
import { rows } from '../sessions/connection.ts';
import { sortDate } from '../sort-keys.ts';
import { hasAttachments } from './item-words.ts';

/**
 * Those of the items that objects get which are found by the same words as their versions before: a message that was read, flagged or moved.
 * Their entries stay as they are; nothing is read or indexed again.
 */
export async function foundAsBefore(
  connection: pg.PoolClient,
  objects: readonly ChangedObject[],
): Promise<FoundAsBefore> {
  const puts = objects.flatMap(({ object, changes }) =>
    changes.versions.map(({ item, hash }) => ({ object, item, hash })),
  );
  if (puts.length === 0) return new Set();
  const indexed = await rows<VersionRow & { at: number }>(
    connection,
    `SELECT ${VERSION_COLUMNS}, put.at::integer FROM unnest($1::integer[], $2::uuid[]) WITH ORDINALITY AS put (object, item, at)
     JOIN search_entries e ON e.object = put.object AND e.item = put.item AND e.last = ${OPEN_END}
     JOIN item_versions v ON v.object = put.object AND v.item = put.item AND v.last = ${OPEN_END}
     JOIN containers c ON c.id = v.container`,
    [puts.map(({ object }) => object), puts.map(({ hash }) => hash)],
  );
  const same = indexed.flatMap((row) => {
    const put = puts[row.at - 1];
    return put !== undefined && searchedOf(itemOf(row)) === searchedOf(put.item) ? [itemKey(put.object, put.hash)] : [];
  });
  return new Set(same);
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
