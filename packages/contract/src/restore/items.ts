import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { flag, id, instant, instantInQuery, page, text, wholeNumber } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { nodeId } from './explorer.ts';

/** Items of a restore session wherever they are: found by words, and looked at. */

const access = ['o365.restoreOutlook', 'o365.restoreOnedrive', 'o365.restoreSharepoint', 'o365.restoreTeams'] as const;
const session = z.strictObject({ restoreSessionId: id });

export const foundItem = entity(
  'FoundItem',
  z.object({
    id: z.string(),
    /** The mailbox, OneDrive, team or site that it is in, as the lists of the session name it. */
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
    /** When it stopped being there; `null`: it still was at the last backup. */
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
    after: z.optional(text(2_000)),
    /** Words that must all occur; the last may be a beginning, and what is in quotes is next to each other. */
    text: z.optional(text(500)),
    from: z.optional(text(200)),
    to: z.optional(text(200)),
    subject: z.optional(text(200)),
    fileName: z.optional(text(200)),
    objectId: z.optional(nodeId),
    dateFrom: z.optional(instantInQuery),
    dateTo: z.optional(instantInQuery),
    sizeFrom: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    sizeTo: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    hasAttachments: z.optional(flag),
    /** Over all time instead of the restore point of the session. */
    allTime: z._default(flag, false),
  }),
  ...itemOf(z.array(foundItem), { _next: z.nullable(z.string()) }),
  failure: 'The search failed. Try again later.',
  summary: 'Finds items in the restore point of the session, or over all time.',
});

const address = z.object({ name: z.nullable(z.string()), address: z.nullable(z.string()) });

export const itemPart = entity(
  'ItemPart',
  z.object({
    id: z.string(),
    what: z.enum(['current', 'earlier-version', 'attachment']),
    name: z.string(),
    contentType: z.nullable(z.string()),
    sizeBytes: z.int(),
    modifiedAt: z.nullable(instant),
    isInline: z.boolean(),
  }),
);

export const itemPreview = entity(
  'ItemPreview',
  z.object({
    id: z.string(),
    type: z.string(),
    name: z.string(),
    from: z.nullable(address),
    recipients: z.array(z.extend(address, { kind: z.enum(['to', 'cc', 'bcc']) })),
    sentAt: z.nullable(instant),
    receivedAt: z.nullable(instant),
    /** Can do nothing: no script, form, frame or outside picture is in it. To be shown in a sandboxed frame all the same. */
    html: z.nullable(z.string()),
    text: z.nullable(z.string()),
    /** Whether the body is longer than what is shown of it. */
    isCut: z.boolean(),
    /** What can be downloaded alone: attachments, the file and its earlier versions. */
    parts: z.array(itemPart),
    losses: z.array(z.string()),
  }),
);
export type ItemPreview = z.infer<typeof itemPreview>;

export const previewItem = declareCall({
  method: 'GET',
  path: '/o365/restore/restoresessions/{restoreSessionId}/preview',
  access,
  audit: 'restore.preview',
  params: session,
  query: z.strictObject({ objectId: nodeId, itemId: nodeId }),
  ...itemOf(itemPreview),
  failure: 'The preview could not be made. Try again later.',
  summary: 'A message, event, contact or task to be read, or what of a file can be downloaded.',
});
