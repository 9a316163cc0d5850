import { attachmentRoutesBelow } from '../mail/attachment-routes.ts';
import { etagOf, preferencesOf } from '../mail/message-json.ts';
import type { Folder } from '../mailbox/folder.ts';
import { itemListing } from '../mailbox/item-listing.ts';
import type { PlainItem } from '../mailbox/plain-items.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { type JsonObject, objectOf } from '../wire/json.ts';
import { badRequest, itemNotFound } from '../wire/refusals.ts';
import { checkIfMatch, entityReply } from '../wire/representation.ts';
import { instancesWithin, occurrenceJson } from './event-json.ts';
import { eventsOf } from './events.ts';
import { meetingMails } from './meeting-mails.ts';

export const calendarPermissions = { read: ['Calendars.Read', 'Calendars.ReadWrite'], write: ['Calendars.ReadWrite'] };

/** The series or single event a path names and, for an occurrence, its day. */
function targetOf(call: GraphCall) {
  const events = eventsOf(call);
  const mailbox = events.mailboxOf(call);
  const { item, day } = mailbox.itemOrOccurrence(call.params['event'] ?? '');
  return { events, mailbox, item: events.check(item), day };
}

function getEvent(call: GraphCall): GraphReply {
  const { events, mailbox, item, day } = targetOf(call);
  const entity = day === undefined ? events.toJson(call, item) : occurrenceJson(call, mailbox, item, day);
  if (!entity) throw itemNotFound();
  return entityReply(call, entity, events.what.options);
}

/** A change of an occurrence makes it an exception of its series. */
function patchEvent(call: GraphCall): GraphReply {
  const { events, mailbox, item, day } = targetOf(call);
  if (day === undefined) {
    const reply = events.patch(call);
    mailAbout(call, item, events.itemOf(call));
    return reply;
  }
  checkIfMatch(call, etagOf(item));
  const exceptions = { ...item.content.exceptions };
  exceptions[day] = { ...exceptions[day], ...events.read(call.body) };
  const changed = events.check(mailbox.changeItem(item, { ...item.content, exceptions }));
  mailAbout(call, item, {
    ...item,
    content: { ...item.content, properties: { ...item.content.properties, ...exceptions[day] } },
  });
  const entity = occurrenceJson(call, mailbox, changed, day);
  if (!entity) throw itemNotFound();
  return entityReply(call, entity, events.what.options);
}

/** Sends the attendees what the server mails of its own accord. */
function mailAbout({ tenant }: GraphCall, before: PlainItem | undefined, after: PlainItem | undefined): void {
  tenant.meetingMails.push(...meetingMails(before?.content.properties, after?.content.properties));
}

function createEvent(call: GraphCall): GraphReply {
  const events = eventsOf(call);
  const reply = events.create(call);
  call.tenant.meetingMails.push(...meetingMails(undefined, objectOf(reply.body)));
  return reply;
}

function deleteEvent(call: GraphCall): GraphReply {
  const { events, mailbox, item, day } = targetOf(call);
  if (day === undefined) {
    mailAbout(call, item, undefined);
    return events.remove(call);
  }
  if (!occurrenceJson(call, mailbox, item, day)) throw itemNotFound();
  mailbox.changeItem(item, { ...item.content, exceptions: { ...item.content.exceptions, [day]: null } });
  return { status: 204 };
}

function windowOf(call: GraphCall) {
  const [fromMs = Number.NaN, toMs = Number.NaN] = ['startDateTime', 'endDateTime'].map((name) => {
    const text = call.query.get(name) ?? '';
    return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) || text.length <= 10 ? text : `${text}Z`);
  });
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) {
    throw badRequest(
      'This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.',
      'ErrorInvalidParameter',
    );
  }
  return { fromMs, toMs };
}

function instances(call: GraphCall): GraphReply {
  const { events, mailbox, item } = targetOf(call);
  return collectionReply(call, instancesWithin(call, mailbox, item, windowOf(call)), events.what.options);
}

function calendarView(call: GraphCall): GraphReply {
  const events = eventsOf(call);
  const mailbox = events.mailboxOf(call);
  const window = windowOf(call);
  const folder = events.folderOf(call);
  const found: JsonObject[] = [];
  const listing = itemListing(mailbox, [folder], (item) => {
    found.push(...instancesWithin(call, mailbox, events.check(item), window));
    return {};
  });
  listing.slice(0, listing.length);
  return collectionReply(call, found, events.what.options);
}

/** Lists every instance within the window; a changed series comes with its master. */
function calendarViewDelta(call: GraphCall): GraphReply {
  const events = eventsOf(call);
  const mailbox = events.mailboxOf(call);
  const folder: Folder = events.folderOf(call);
  const isFollowUp = ['$deltatoken', '$skiptoken'].some((name) => call.query.has(name));
  if (!isFollowUp) windowOf(call);
  return events.delta(call, folder, (item) => {
    // The window is in the token, and so is known only now.
    const within = instancesWithin(call, mailbox, item, windowOf(call));
    const gone = isFollowUp && item.revision > 1 ? goneFromView(call, item, within) : [];
    const isSeries = Boolean(item.content.properties['recurrence']);
    return isSeries && within.length > 0 ? [events.toJson(call, item), ...within, ...gone] : [...within, ...gone];
  });
}

/** What a changed event no longer shows: itself, when it is outside the window now, and its cancelled occurrences. */
function goneFromView(call: GraphCall, item: PlainItem, within: readonly JsonObject[]): JsonObject[] {
  const mailbox = eventsOf(call).mailboxOf(call);
  const { isImmutable } = preferencesOf(call);
  const cancelled = Object.entries(item.content.exceptions ?? {}).filter(([, changes]) => changes === null);
  const occurrences = cancelled.map(([day]) => mailbox.partId(item, isImmutable, 'occurrence', Number(day)));
  const ids = within.length === 0 ? [mailbox.itemId(item, isImmutable), ...occurrences] : occurrences;
  return ids.map((id) => ({ id, '@removed': { reason: 'deleted' } }));
}

const readable = { method: 'GET', permissions: calendarPermissions.read, budget: 'mailbox' } as const;
const writable = { permissions: calendarPermissions.write, budget: 'mailbox' } as const;

const eventRoutesBelow = (base: string): GraphRoute[] => [
  { ...readable, path: `${base}/events`, handle: (call) => eventsOf(call).list(call) },
  { ...readable, path: `${base}/events/delta()`, handle: (call) => eventsOf(call).delta(call) },
  { ...readable, path: `${base}/events/{event}`, handle: getEvent },
  { ...readable, path: `${base}/events/{event}/instances`, handle: instances },
  { ...readable, path: `${base}/calendarView`, handle: calendarView },
  { ...readable, path: `${base}/calendarView/delta()`, handle: calendarViewDelta },
  { ...writable, method: 'POST', path: `${base}/events`, handle: createEvent },
  { ...writable, method: 'PATCH', path: `${base}/events/{event}`, handle: patchEvent },
  { ...writable, method: 'DELETE', path: `${base}/events/{event}`, handle: deleteEvent },
  ...attachmentRoutesBelow(`${base}/events/{event}`, calendarPermissions),
];

/** Events are found below the user (the default calendar) and below their calendar alike. */
export const eventRoutes: readonly GraphRoute[] = [
  ...eventRoutesBelow('/users/{user}'),
  ...eventRoutesBelow('/users/{user}/calendar'),
  ...eventRoutesBelow('/users/{user}/calendars/{calendar}'),
];
