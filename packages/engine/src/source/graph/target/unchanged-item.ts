import { plainText } from '../../../search/plain-text.ts';
import type { MailboxItemKind, NewItem } from '../../target.ts';
import { GraphError } from '../graph-error.ts';
import { dateOf, type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import { writableContact } from './contact-writer.ts';
import { SETTABLE as OF_EVENTS } from './event-writer.ts';
import { bareId, bytesOf, type MailboxWriting, type Place, pathOfItem, picked } from './mailbox-writing.ts';
import { LINK, SETTABLE as OF_TASKS, STEP } from './task-writer.ts';

type Kind = Exclude<MailboxItemKind, 'message'>;

/** What is not told by itself. */
const QUERIES = {
  event: '?$expand=exceptionOccurrences',
  task: '?$expand=checklistItems,linkedResources',
} as const;

/** The contract is `MailboxTarget.isUnchanged`, for all but messages. */
export async function isUnchangedItem(
  writing: MailboxWriting,
  { folderId, id }: Place & { id: string },
  item: NewItem & { kind: Kind },
  signal: AbortSignal,
): Promise<boolean> {
  const { kind, properties } = item;
  const path = pathOfItem(writing.user, kind, id, folderId);
  try {
    const there = await writing.connection.ask({ path: path + queryOf(kind, properties), headers: bareId, signal });
    if (!isEqual(ownOf(kind, properties), ownOf(kind, there))) return false;
    if (kind === 'contact') return await hasSamePhoto(writing, path, item, signal);
    if (kind === 'event' && !isSameSeries(properties, there)) return false;
    return !hasStrangers(properties, there) && (await hasSameAttachments(writing, path, item, there, signal));
  } catch (error) {
    if (error instanceof GraphError && error.status === 404) return false;
    throw error;
  }
}

/** What changed in a series, and which of it was cancelled, is told by its master alone, and only when all is asked for by name. */
function queryOf(kind: Kind, properties: JsonObject): string {
  if (kind === 'contact') return '';
  if (kind === 'task') return QUERIES.task;
  if (properties['type'] !== 'seriesMaster') return '';
  return `${QUERIES.event}&$select=${[...OF_EVENTS, 'attendees', 'hasAttachments', 'cancelledOccurrences'].join(',')}`;
}

/** What is written of an item, and no more than that. */
function ownOf(kind: Kind, item: JsonObject): JsonObject {
  if (kind === 'contact') return writableContact(item);
  const body = readable(textOf(objectOf(item['body'])['content']) ?? '');
  if (kind === 'event') return { ...picked(item, OF_EVENTS), ...placesOf(item), body };
  const [steps, links] = [
    objectsOf(item['checklistItems']).map((step) => picked(step, STEP)),
    objectsOf(item['linkedResources']).map((link) => picked(link, LINK)),
  ];
  return { ...picked(item, OF_TASKS), body, steps: sorted(steps), links: sorted(links) };
}

/** By their names: servers give places ids of their own. */
function placesOf(event: JsonObject): JsonObject {
  const { displayName } = objectOf(event['location']);
  return { location: displayName, locations: objectsOf(event['locations']).map((place) => place['displayName']) };
}

function isSameSeries(stored: JsonObject, there: JsonObject): boolean {
  const changed = (series: JsonObject) =>
    objectsOf(series['exceptionOccurrences']).map((one) => [
      dateOf(one['originalStart'])?.getTime() ?? null,
      ownOf('event', { ...one, recurrence: null }),
    ]);
  // The day of a cancelled occurrence stands behind the id of its series.
  const cancelled = (series: JsonObject) =>
    textsOf(series['cancelledOccurrences']).map((occurrence) => occurrence.split('.').at(-1));
  const [was, is] = [stored, there].map((series) => [sorted(changed(series)), sorted(cancelled(series))]);
  return isEqual(was, is);
}

/** Guests whom the stored one does not know. That it lacks its own is what a restore does: to write them would invite them. */
function hasStrangers(stored: JsonObject, there: JsonObject): boolean {
  const [known, now] = [stored, there].map((event) =>
    objectsOf(event['attendees']).map(({ emailAddress }) => textOf(objectOf(emailAddress)['address'])?.toLowerCase()),
  );
  return (now ?? []).some((address) => !known?.includes(address));
}

async function hasSameAttachments(
  { connection }: MailboxWriting,
  itemPath: string,
  { properties, contents }: NewItem,
  there: JsonObject,
  signal: AbortSignal,
): Promise<boolean> {
  const written = objectsOf(properties['attachments']).filter(({ id }) =>
    contents.some(({ name }) => name === `attachments/${textOf(id)}`),
  );
  const now: JsonObject[] = [];
  const path = `${itemPath}/attachments?$select=name,size`;
  if (there['hasAttachments'] === true)
    for await (const { value } of connection.pages({ path, headers: bareId, signal })) now.push(...value);
  const facts = (all: readonly JsonObject[]) => sorted(all.map((one) => picked(one, ['name', 'size'])));
  return isEqual(facts(written), facts(now));
}

async function hasSamePhoto(
  { connection }: MailboxWriting,
  contactPath: string,
  item: NewItem,
  signal: AbortSignal,
): Promise<boolean> {
  const stored = await bytesOf(item, 'attachments/photo');
  try {
    const there = await connection.askBytes({ path: `${contactPath}/photo/$value`, headers: bareId, signal });
    return stored?.equals(there) === true;
  } catch (error) {
    // As it is read: nothing else tells whether there is one.
    if (error instanceof GraphError && [400, 404].includes(error.status)) return stored === null;
    throw error;
  }
}

/** What people read of a text in HTML or without it, and where its links lead. */
export function readable(body: string): string {
  const links = [...body.matchAll(/\s(?:href|src)\s*=\s*["']([^"']*)/gi)].map(([, link]) => link);
  return [plainText(body).normalize('NFC').replaceAll(/\s/g, ''), ...links].join(' ');
}

const sorted = (all: readonly unknown[]): string[] => all.map((one) => JSON.stringify(withoutNothing(one))).sort();

/** Whether two values say the same: what is not there is left out, null or empty, and members come in any order. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(withoutNothing(one)) === JSON.stringify(withoutNothing(other));

function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(withoutNothing);
  if (typeof value !== 'object' || value === null) return value === '' || value === undefined ? null : value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutNothing(member)] as const);
  const told = members.filter(([, member]) => member !== null).sort(([one], [other]) => (one < other ? -1 : 1));
  return told.length === 0 ? null : Object.fromEntries(told);
}
