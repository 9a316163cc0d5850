import type { FoundItem, TargetItem } from '../../target.ts';
import { dateOf, instantOf, isObject, type JsonObject, objectsOf, textOf } from '../json.ts';
import { paged } from '../mailbox/mailbox-paths.ts';
import { zonedInstantOf } from '../mailbox/people.ts';
import { type MailboxWriting, pathOfItems } from './mailbox-writing.ts';
import { otherFieldsThan } from './unchanged-item.ts';

/** What an item is looked for by: a property the vendor filters by, and what of those found must agree. */
interface Marks {
  filter: readonly [name: string, value: string] | null;
  agree(candidate: JsonObject): boolean;
}

/** The contract is `MailboxTarget.find`. */
export async function findItems(
  { connection, user }: MailboxWriting,
  folderId: string,
  item: TargetItem,
  signal: AbortSignal,
): Promise<FoundItem[]> {
  const { filter, agree } = marksOf(item);
  const query = filter === null ? '' : `?$filter=${encodeURIComponent(`${filter[0]} eq '${quoted(filter[1])}'`)}`;
  const call = { path: pathOfItems(user, item.kind, folderId) + query, headers: paged(100), signal };
  const hasOtherFields = item.kind === 'message' ? () => false : otherFieldsThan(item.kind, item.properties);
  const found: FoundItem[] = [];
  for await (const { value } of connection.pages(call)) {
    for (const candidate of value.filter(agree)) {
      const id = textOf(candidate['id']);
      if (id === undefined) continue;
      const differs = hasOtherFields(candidate);
      found.push({ id, modifiedAt: dateOf(candidate['lastModifiedDateTime']), ...(differs ? { differs } : {}) });
    }
  }
  return found;
}

const quoted = (text: string) => text.replaceAll("'", "''");

function marksOf({ kind, properties }: TargetItem): Marks {
  switch (kind) {
    case 'message': {
      const messageId = textOf(properties['internetMessageId']);
      if (messageId !== undefined) return { filter: ['internetMessageId', messageId], agree: () => true };
      return byName(properties, 'subject', (one) => instantOf(one['sentDateTime']));
    }
    case 'event':
      return byName(properties, 'subject', (one) => `${zonedInstantOf(one['start'])}/${zonedInstantOf(one['end'])}`);
    case 'contact':
      return byName(properties, 'displayName', (one) => textOf(objectsOf(one['emailAddresses'])[0]?.['address']));
    case 'task':
      return byName(properties, 'title', (one) => textOf(isObject(one['body']) ? one['body']['content'] : undefined));
  }
}

function byName(
  properties: TargetItem['properties'],
  name: string,
  otherOf: (one: JsonObject) => string | undefined,
): Marks {
  const value = textOf(properties[name]);
  const other = otherOf(properties);
  return {
    filter: value === undefined ? null : [name, value],
    agree: (candidate) => (textOf(candidate[name]) ?? '') === (value ?? '') && otherOf(candidate) === other,
  };
}
