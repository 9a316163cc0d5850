import { mix, textHash } from '../../world/random.ts';
import type { Edit } from '../drives/identity-set.ts';
import type { ListItem } from '../sites/lists/list-item.ts';
import type { SiteList } from '../sites/lists/site-list.ts';

const known = new WeakMap<ListItem, Map<string, Buffer>>();
const NAMES = ['Offer.pdf', '50 % & #1.txt', "Bob's 見積.txt"] as const;

/** The files that are attached to a row, by name. */
export function attachmentsOf(row: ListItem): Map<string, Buffer> {
  const attached = known.get(row) ?? firstAttachments(row);
  known.set(row, attached);
  return attached;
}

/** Who attaches a file changes the row. */
export function attach(list: SiteList, row: ListItem, name: string, bytes: Buffer, edit: Edit): void {
  attachmentsOf(row).set(name, bytes);
  row.hasAttachments = true;
  list.update(row, {}, edit);
}

function firstAttachments(row: ListItem): Map<string, Buffer> {
  if (!row.hasAttachments) return new Map();
  const story = textHash(row.uniqueId);
  const names = NAMES.filter((_, at) => at === 0 || mix(story, at) % 2 === 0);
  return new Map(names.map((name, at) => [name, Buffer.from(`${name} of row ${row.id}\n`.repeat(200 * (at + 1)))]));
}
