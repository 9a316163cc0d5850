import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { flag, instant, instantInQuery, oneOrMore, page, text, wholeNumber } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { nodeId, session } from './explorer.ts';

/** Items of a restore session wherever they are, found by words and by what they are. */

const access = ['o365.restoreOutlook', 'o365.restoreOnedrive', 'o365.restoreSharepoint', 'o365.restoreTeams'] as const;

/** What items are. Each explorer shows some of them. */
export const FOUND_TYPES = [
  'message',
  'event',
  'contact',
  'task',
  'file',
  'list-item',
  'page',
  'list',
  'post',
  'reply',
  'tab',
  'chat-message',
] as const;

export const foundItem = entity(
  'FoundItem',
  z.object({
    id: z.string(),
    /** The mailbox, OneDrive, team, site or person's chats that it is in, as the lists of the session name it. */
    objectId: z.string(),
    objectName: z.string(),
    type: z.string(),
    name: z.string(),
    /** Of the folder that it is in; to open it. */
    parentId: z.nullable(z.string()),
    path: z.array(z.string()),
    from: z.nullable(z.string()),
    date: z.nullable(instant),
    sizeBytes: z.int(),
    /** When it stopped being there, in any version; `null`: it still was at the last backup. */
    endedAt: z.nullable(instant),
  }),
);
export type FoundItem = z.infer<typeof foundItem>;

export const searchRestoreSession = declareCall({
  method: 'GET',
  path: '/o365/restore/restoresessions/{restoreSessionId}/search',
  access,
  audit: 'restore.search',
  params: session,
  query: z.strictObject({
    limit: page.limit,
    /** `_next` of the page before. */
    after: z.optional(text(4_000)),
    /** Words that must all occur; the last may be a beginning, and what is in quotes is next to each other. */
    text: z.optional(text(500)),
    from: z.optional(text(200)),
    to: z.optional(text(200)),
    subject: z.optional(text(200)),
    fileName: z.optional(text(200)),
    objectId: z.optional(nodeId),
    /** Of `objectId`: the folder that is searched with all below it. */
    parentId: z.optional(nodeId),
    dateFrom: z.optional(instantInQuery),
    dateTo: z.optional(instantInQuery),
    sizeFrom: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    sizeTo: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    hasAttachments: z.optional(flag),
    /** Which of the kinds that the session's explorer shows; all of them without. */
    types: z.optional(oneOrMore(z.enum(FOUND_TYPES))),
    /** Only what is no longer there. */
    deletedOnly: z._default(flag, false),
    /** Over all time instead of the restore point of the session. */
    allTime: z._default(flag, false),
  }),
  /** A page may have fewer than `limit`, even none, and a next one: few of the items with the words have them side by side. */
  ...itemOf(z.array(foundItem), { _next: z.nullable(z.string()) }),
  failure: 'The search failed. Try again later.',
  summary: 'Finds items in the restore point of the session, or over all time.',
});
