import * as z from 'zod/mini';
import { file } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { flag, id, page, text } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';

/** What the four explorers share: pages with links, what a restore is asked for, and what a download answers. */

/** The id of a mailbox, folder, file or the like, as a list of the session gives it. */
export const nodeId = text(1_000).check(z.minLength(1));

/** The parent of what is at the top. */
export const ROOT = 'Root';
/** A site has two nodes of its own below it: `{siteId}-subsites` and `{siteId}-content`. */
export const SUBSITES_SUFFIX = '-subsites';
export const CONTENT_SUFFIX = '-content';

/** Most items of one request: more are restored or downloaded by their folder. */
export const CHOSEN_MAX = 10_000;
/** Room for as many ids. */
export const CHOSEN_BYTES_MAX = 8 * 2 ** 20;

const link = z.object({ href: z.string() });

/** Where a page of a list is continued, below `/api`; without `next` it was the last. There is no count: nothing is counted to show a page. */
export const pageLinks = entity('PageLinks', z.object({ self: link, next: z.optional(link) }));

/** A page of a list of an explorer. */
/* @__NO_SIDE_EFFECTS__ */
export function resultsOf<E extends z.ZodMiniType>(item: E) {
  return {
    reply: z.object({ success: z.literal(true), data: z.object({ results: z.array(item) }), _links: pageLinks }),
  };
}

/** Of every list: companies and organizations are those of the session, and are accepted as screens repeat them. */
export const listed = {
  companyId: z.optional(id),
  organizationId: z.optional(id),
  ...page,
};

/** Of a list of mailboxes, drives, sites, teams or people: the link to the next page says behind which row it begins, so that it is as fast as the first. */
export const listedObjects = { ...listed, search: z.optional(text(200)), after: z.optional(text(10_000)) };

/** What is in the address of each call of a restore session. */
export const session = z.strictObject({ restoreSessionId: id });

/** Lists what is at the top of an explorer. */
/* @__NO_SIDE_EFFECTS__ */
export function objectsOf<E extends z.ZodMiniType>(object: E) {
  return { method: 'GET', params: session, query: z.strictObject(listedObjects), ...resultsOf(object) } as const;
}

/** Of what is in something: without `parentId`, or with `Root`, what is at the top. */
export const below = { ...listed, parentId: z.optional(nodeId) };

export const ITEM_SORTS = ['name', '-name', 'date', '-date', 'size', '-size'] as const;
export const sorted = { sort: z._default(z.enum(ITEM_SORTS), 'name') };

/** What of an entry shows that it is gone: listed where the session shows deleted items. */
export const deletable = { isDeleted: z.boolean() };

export const CONFLICTS = ['skip', 'replace', 'keep-both'] as const;
export const ONLY = ['everything', 'missing', 'changed'] as const;

/** How a restore treats what it finds. */
export const restoreOptions = entity(
  'RestoreOptions',
  z.strictObject({
    /** What becomes of an item that is there and differs. One that is there unchanged is always left alone. */
    conflict: z._default(z.enum(CONFLICTS), 'skip'),
    only: z._default(z.enum(ONLY), 'everything'),
    /** Mail gets the category `Restored`, files ` (restored)` behind their names. */
    markRestored: z._default(z.boolean(), false),
    markRestoredAsUnread: z._default(z.boolean(), false),
    excludeDeletedItems: z._default(z.boolean(), false),
    excludeDrafts: z._default(z.boolean(), false),
    /** Of files: with their earlier versions, or the last alone. */
    documentVersion: z._default(z.enum(['All', 'Last']), 'All'),
    /** Of one file: the label of the earlier version that it becomes. */
    earlierVersion: z._default(z.nullable(text(100)), null),
    /** Shares files and folders again as they were. No notifications are sent. */
    restorePermissions: z._default(z.boolean(), false),
    /** A folder of its own at the top of the target, made where it is not there; without: where it was. */
    folder: z._default(z.nullable(text(250)), null),
  }),
);
export type RestoreOptions = z.infer<typeof restoreOptions>;

/** Something that was chosen. Other fields of the node may come with it, and are not read. */
export const chosen = z.object({ id: nodeId });
export const chosenOnes = z.array(chosen).check(z.minLength(1), z.maxLength(CHOSEN_MAX));

/** What every restore says. Names are for the list of restores alone. */
export const restoreFields = {
  companyId: z.optional(id),
  organizationId: z.optional(id),
  options: z.optional(restoreOptions),
  pathName: z.optional(text(2_000)),
  /** Looks at every item at the target, says what would become of it, and changes nothing. */
  planOnly: z._default(z.boolean(), false),
};

export const OPERATION_STATES = ['Queued', 'Running', 'Success', 'Warning', 'Failed', 'Cancelled'] as const;

/** A restore, or the plan of one. */
export const restoreOperation = entity(
  'RestoreOperation',
  z.object({
    id,
    restoreSessionId: id,
    organizationId: id,
    organizationName: z.string(),
    companyId: id,
    /** What is restored, and where to, for people. */
    name: z.string(),
    target: z.string(),
    isPlan: z.boolean(),
    state: z.enum(OPERATION_STATES),
    isCancelling: z.boolean(),
    createdAt: z.string(),
    createdBy: z.string(),
    startedAt: z.nullable(z.string()),
    endedAt: z.nullable(z.string()),
    /** Items dealt with, of how many where that is known, and what was written. */
    done: z.int(),
    total: z.nullable(z.int()),
    bytes: z.int(),
    /** Of a plan: what would be done. */
    containers: z.int(),
    restored: z.int(),
    replaced: z.int(),
    /** Of a plan alone: how many would be put beside what is there. */
    copied: z.int(),
    skipped: z.int(),
    failed: z.int(),
    notBegun: z.int(),
    skippedBecause: z.record(z.string(), z.int()),
    /** What the vendor did not take, and of how many items: those are restored all the same. */
    losses: z.record(z.string(), z.int()),
    /** What ended it before its end. */
    message: z.nullable(z.string()),
  }),
);
export type RestoreOperation = z.infer<typeof restoreOperation>;

/** Of a restore: it has been accepted, and runs in the background. */
export const begun = { reply: z.object({ success: z.literal(true), data: restoreOperation }) };

/** What every download says. */
export const downloadFields = {
  companyId: z.optional(id),
  organizationId: z.optional(id),
  /** Without its ending. */
  fileName: z.optional(text(200)),
  pathName: z.optional(text(2_000)),
  /** Answers with the new background download as JSON (`BackgroundDownloadReply`) instead of the file. */
  downloadInBackground: z._default(flag, false),
};

/** A ZIP at once, or the background download that makes it. */
export const zipOrBackground = file({ types: ['application/zip', 'application/json'] });

/** What is to be weighed before it is downloaded. */
export const sizeFields = {
  restoreSessionId: z.optional(id),
  organizationId: z.optional(id),
  companyId: z.optional(id),
  siteId: z.optional(nodeId),
  /** What it is of with all below it; without: all. */
  parentId: z.optional(nodeId),
  /** Instead: these alone. */
  items: z.optional(z.array(chosen).check(z.maxLength(CHOSEN_MAX))),
  ...page,
};

export const downloadSize = entity('DownloadSize', z.object({ items: z.int(), sizeBytes: z.int() }));

/** Says how much something is before it is downloaded. */
export const weighing = {
  method: 'POST',
  audit: null, // It reads sizes, and no content
  bodyBytesMax: CHOSEN_BYTES_MAX,
  ...itemOf(downloadSize),
  failure: 'Error getting the download size. Try again later.',
} as const;

/** Saves something as a ZIP. */
export const zipDownload = {
  method: 'POST',
  audit: 'restore.download',
  bodyBytesMax: CHOSEN_BYTES_MAX,
  reply: zipOrBackground,
} as const;
