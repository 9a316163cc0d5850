import * as z from 'zod/mini';
import { declareCall, file } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { instant, text, wholeNumber } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { nodeId, session } from './explorer.ts';

/** Looking at one item of a restore session: its content, and its parts. */

const access = ['o365.restoreOutlook', 'o365.restoreOnedrive', 'o365.restoreSharepoint', 'o365.restoreTeams'] as const;

/** Id of a part, as the preview lists it. */
const partId = text(400).check(z.minLength(1));

const itemQuery = {
  objectId: nodeId,
  itemId: nodeId,
  /** One of its versions (`listItemVersions`); without: the one that the session shows. */
  version: z.optional(wholeNumber(1, 2_147_483_647)),
};

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

export const itemFact = entity(
  'ItemFact',
  z.object({
    name: z.string(),
    value: z.string(),
    /** `instant`: ISO 8601 in UTC; `bytes`: a count of them. */
    type: z.enum(['text', 'instant', 'bytes']),
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
    /** Id of the part that `showItemPicture` gives as a picture; `null` for what is none. */
    picture: z.nullable(z.string()),
    /** What else is known of it, in the order in which it is read. */
    facts: z.array(itemFact),
  }),
);
export type ItemPreview = z.infer<typeof itemPreview>;

export const previewItem = declareCall({
  method: 'GET',
  path: '/o365/restore/restoresessions/{restoreSessionId}/preview',
  access,
  audit: 'restore.preview',
  params: session,
  query: z.strictObject({ ...itemQuery, part: z.optional(partId) }),
  ...itemOf(itemPreview),
  failure: 'The preview could not be made. Try again later.',
  summary: 'An item to be looked at: its text, facts and parts. Nothing in it can run.',
});

const part = z.strictObject({ ...itemQuery, part: partId });

export const showItemPicture = declareCall({
  method: 'GET',
  path: '/o365/restore/restoresessions/{restoreSessionId}/picture',
  access,
  audit: 'restore.preview',
  params: session,
  query: part,
  reply: file({ types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] }),
  failure: 'The picture could not be read. Try again later.',
  summary: 'A part of an item that is a picture, of a type that cannot run, by its bytes and not by its name.',
});

export const downloadItemPart = declareCall({
  method: 'GET',
  path: '/o365/restore/restoresessions/{restoreSessionId}/parts',
  access,
  audit: 'restore.download',
  params: session,
  query: part,
  reply: file({ types: ['application/octet-stream'] }),
  failure: 'The file could not be read. Try again later.',
  summary: 'One part of an item as it was stored: an attachment, a file, an earlier version of it.',
});
