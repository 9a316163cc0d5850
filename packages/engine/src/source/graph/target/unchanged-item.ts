import type { MailboxItemKind, NewItem } from '../../target.ts';
import { GraphError } from '../graph-error.ts';
import { dateOf, type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import { TASK_QUERY } from '../mailbox/tasks.ts';
import { bodyTextAndLinks } from './body-text.ts';
import { writableContact } from './contact-writer.ts';
import { SETTABLE as OF_EVENTS } from './event-writer.ts';
import { bareId, bytesOf, type MailboxWriting, type Place, pathOfItem, picked } from './mailbox-writing.ts';
import { bodyOf } from './message-body.ts';
import { LINK, SETTABLE as OF_TASKS, STEP } from './task-writer.ts';

type Kind = Exclude<MailboxItemKind, 'message'>;

/** What of an item is not as it was stored, for people: an item came back without it. */
const DIFFERENCES = {
  fields: 'all its fields as they were',
  series: 'the changed and cancelled days of its series as they were',
  guests: 'its list of guests as it was',
  links: 'its links as they were',
  attachments: 'its attachments as they were',
  photo: 'its photo as it was',
} as const;
type Part = keyof typeof DIFFERENCES;

/** The contract is `MailboxTarget.isUnchanged`, for all but messages. */
export async function isUnchangedItem(
  writing: MailboxWriting,
  place: Place & { id: string },
  item: NewItem & { kind: Kind },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for await (const _ of differences(writing, place, item, signal)) return false;
    return true;
  } catch (error) {
    if (error instanceof GraphError && error.status === 404) return false;
    throw error;
  }
}

/**
 * Names what of an item that was written over still differs from what was stored: of an existing item Graph accepts fields and steps, and
 * nothing beside them.
 */
export async function leftOver(
  writing: MailboxWriting,
  place: Place & { id: string },
  item: NewItem & { kind: Kind },
  signal: AbortSignal,
): Promise<string[]> {
  const left: string[] = [];
  for await (const part of differences(writing, place, item, signal)) left.push(DIFFERENCES[part]);
  return left;
}

/** In the order of what it costs to see. */
async function* differences(
  writing: MailboxWriting,
  { folderId, id }: Place & { id: string },
  item: NewItem & { kind: Kind },
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const { kind, properties } = item;
  const path = pathOfItem(writing.user, kind, id, folderId);
  const there = await writing.connection.ask({ path: path + queryOf(kind, properties), headers: bareId, signal });
  if (!isEqual(ownOf(kind, properties), ownOf(kind, there))) yield 'fields';
  if (kind === 'contact') {
    if (!(await hasSamePhoto(writing, path, item, signal))) yield 'photo';
    return;
  }
  if (kind === 'event' && !isSameSeries(properties, there)) yield 'series';
  if (kind === 'task' && !isEqual(linksOf(properties), linksOf(there))) yield 'links';
  if (hasStrangers(properties, there)) yield 'guests';
  if (!(await hasSameAttachments(writing, path, item, there, signal))) yield 'attachments';
}

/** Only the master of a series returns its changed and cancelled occurrences, and only when all properties are selected by name. */
function queryOf(kind: Kind, properties: JsonObject): string {
  if (kind === 'contact') return '';
  if (kind === 'task') return `?${TASK_QUERY}`;
  if (properties['type'] !== 'seriesMaster') return '';
  return `?$expand=exceptionOccurrences&$select=${[...OF_EVENTS, 'attendees', 'hasAttachments', 'cancelledOccurrences'].join(',')}`;
}

/**
 * Makes a function that says whether a listed item has other fields than the stored one. A daily task that was completed for years is a thousand
 * tasks of one name, and to read each of them for each of them would take a million requests.
 */
export function otherFieldsThan(kind: Kind, stored: JsonObject): (listed: JsonObject) => boolean {
  let fields: string | undefined;
  return (listed) => {
    fields ??= spelt(fieldsOf(kind, stored));
    return spelt(fieldsOf(kind, listed)) !== fields;
  };
}

/** What is written of an item, and no more than that. */
function ownOf(kind: Kind, item: JsonObject): JsonObject {
  const fields = fieldsOf(kind, item);
  if (kind !== 'task') return fields;
  return { ...fields, steps: sorted(objectsOf(item['checklistItems']).map((step) => picked(step, STEP))) };
}

function fieldsOf(kind: Kind, item: JsonObject): JsonObject {
  if (kind === 'contact') return writableContact(item);
  const body = bodyTextAndLinks(bodyOf(item));
  return kind === 'event'
    ? { ...picked(item, OF_EVENTS), ...placesOf(item), body }
    : { ...picked(item, OF_TASKS), body };
}

/** Fields that guests or the organizer see of an event, and that are not as they were stored. */
export function differentEventFields(stored: JsonObject, there: JsonObject): string[] {
  const [was, is] = [stored, there].map((event) => fieldsOf('event', event));
  return OF_EVENTS.filter((name) => !isEqual(was?.[name], is?.[name]));
}

const linksOf = (task: JsonObject) => sorted(objectsOf(task['linkedResources']).map((link) => picked(link, LINK)));

/** By their names: servers give places ids of their own. */
function placesOf(event: JsonObject): JsonObject {
  const { displayName } = objectOf(event['location']);
  return { location: displayName, locations: objectsOf(event['locations']).map((place) => place['displayName']) };
}

function isSameSeries(stored: JsonObject, there: JsonObject): boolean {
  const changed = (series: JsonObject) =>
    objectsOf(series['exceptionOccurrences']).map((one) => [
      dateOf(one['originalStart'])?.getTime() ?? null,
      fieldsOf('event', { ...one, recurrence: null }),
    ]);
  // The day of a cancelled occurrence follows the id of its series.
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
    // As when a backup reads it: no property says whether there is one.
    if (error instanceof GraphError && [400, 404].includes(error.status)) return stored === null;
    throw error;
  }
}

const sorted = (all: readonly unknown[]): string[] => all.map(spelt).sort();

/** Whether two values say the same: what is not there is left out, null or empty, and members come in any order. */
export const isEqual = (one: unknown, other: unknown): boolean => spelt(one) === spelt(other);

const spelt = (value: unknown): string => JSON.stringify(withoutNothing(value));

function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(withoutNothing);
  if (typeof value !== 'object' || value === null) return value === '' || value === undefined ? null : value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutNothing(member)] as const);
  const nonEmpty = members.filter(([, member]) => member !== null).sort(([one], [other]) => (one < other ? -1 : 1));
  return nonEmpty.length === 0 ? null : Object.fromEntries(nonEmpty);
}
