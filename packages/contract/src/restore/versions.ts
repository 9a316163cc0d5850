import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, oneOrMore, page, text } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { nodeId, session } from './explorer.ts';
import { FOUND_TYPES, foundItem } from './items.ts';

/** What changed over time: the versions of an item, and the content of two restore points beside each other. */

const access = ['o365.restoreOutlook', 'o365.restoreOnedrive', 'o365.restoreSharepoint', 'o365.restoreTeams'] as const;

export const itemVersion = entity(
  'ItemVersion',
  z.object({
    /** Names it in the calls that look at an item. */
    version: z.int(),
    name: z.string(),
    path: z.array(z.string()),
    sizeBytes: z.int(),
    modifiedAt: z.nullable(instant),
    modifiedBy: z.nullable(z.string()),
    /** The first and the last restore point with it, and how many have it; `null` where none that is left has it. */
    firstBackupTime: z.nullable(instant),
    lastBackupTime: z.nullable(instant),
    restorePoints: z.int(),
    /** Whether the session shows this one. */
    isShown: z.boolean(),
    /** Whether it still was there at the last backup. */
    isCurrent: z.boolean(),
  }),
);
export type ItemVersion = z.infer<typeof itemVersion>;

export const listItemVersions = declareCall({
  method: 'GET',
  path: '/o365/restore/restoresessions/{restoreSessionId}/versions',
  access,
  audit: 'restore.browse',
  params: session,
  query: z.strictObject({ objectId: nodeId, itemId: nodeId }),
  /** `restorePoints`: how many the mailbox, drive, site or team has that it is in, and the first and the last of them. */
  ...itemOf(z.array(itemVersion), {
    restorePoints: z.int(),
    firstBackupTime: z.nullable(instant),
    lastBackupTime: z.nullable(instant),
  }),
  failure: 'The versions could not be read. Try again later.',
  summary: 'All versions of an item over the restore points of its repository, newest first: the newest 1,000.',
});

export const CHANGES = ['appeared', 'changed', 'vanished'] as const;

export const comparedItem = entity(
  'ComparedItem',
  /** Of an object itself `id` is `objectId`, and `type` is `mailbox`, `onedrive`, `site`, `library`, `team` or `chats`. */
  z.extend(foundItem, {
    /** From the other session to this one. */
    change: z.enum(CHANGES),
    /** Of what changed: what it was in the other session. */
    before: z.nullable(
      z.object({ name: z.string(), path: z.array(z.string()), sizeBytes: z.int(), date: z.nullable(instant) }),
    ),
  }),
);
export type ComparedItem = z.infer<typeof comparedItem>;

export const compareRestorePoints = declareCall({
  method: 'GET',
  path: '/o365/restore/restoresessions/{restoreSessionId}/changes',
  access,
  audit: 'restore.browse',
  params: session,
  query: z.strictObject({
    /** Another session of the caller over the same organization, of the earlier restore point. */
    otherSessionId: id,
    /** Without: which mailboxes, OneDrives, sites, or teams and people with chats appeared, vanished, or have something in them that changed. */
    objectId: z.optional(nodeId),
    /** The folder that is compared with all below it, or a node of a site (`{siteId}-subsites`, `{siteId}-content`); without: all of the object. */
    parentId: z.optional(nodeId),
    /** Which kinds of items alone: the posts of a channel, its tabs, its files. */
    types: z.optional(oneOrMore(z.enum(FOUND_TYPES))),
    change: z.optional(z.enum(CHANGES)),
    limit: page.limit,
    /** `_next` of the page before. */
    after: z.optional(text(12_000)),
  }),
  ...itemOf(z.array(comparedItem), { _next: z.nullable(z.string()) }),
  failure: 'The restore points could not be compared. Try again later.',
  summary:
    'What appeared, changed and vanished between two restore points, in a folder with all below it. A page can be short, even empty, and have a next one.',
});
