import * as z from 'zod/mini';
import { declareCall, file } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, oneOrMore, page, text } from '../wire/fields.ts';
import { done } from '../wire/replies.ts';

/** Files that are made in the background, and stay for some days. */

const access = 'o365.restorePortal' as const;

export const DOWNLOAD_STATES = ['queued', 'running', 'finished', 'failed', 'cancelled', 'expired'] as const;

export const backgroundDownload = entity(
  'BackgroundDownload',
  z.object({
    id,
    fileName: z.string(),
    format: z.string(),
    status: z.enum(DOWNLOAD_STATES),
    organizationId: id,
    organizationName: z.string(),
    companyId: id,
    restoreSessionId: z.nullable(id),
    createdAt: instant,
    createdBy: z.string(),
    startedAt: z.nullable(instant),
    finishedAt: z.nullable(instant),
    /** When the file goes. */
    expiresAt: z.nullable(instant),
    /** Items that went into it so far, of how many, and their bytes. */
    items: z.int(),
    totalItems: z.nullable(z.int()),
    bytes: z.int(),
    /** Of the file, once it is finished. */
    sizeBytes: z.nullable(z.int()),
    sha256: z.nullable(z.string()),
    /** How many items are not in it, since they cannot be read. */
    missing: z.int(),
    message: z.nullable(z.string()),
    /** What `restore/downloads/proxy` gets as `url`, once it is finished. */
    url: z.nullable(z.string()),
  }),
);
export type BackgroundDownload = z.infer<typeof backgroundDownload>;

/** What a download answers that is made in the background. */
export const backgroundDownloadReply = entity(
  'BackgroundDownloadReply',
  z.object({ success: z.literal(true), download: backgroundDownload }),
);
export type BackgroundDownloadReply = z.infer<typeof backgroundDownloadReply>;

const params = z.strictObject({ id });

export const listDownloads = declareCall({
  method: 'POST',
  path: '/o365/restore/downloads',
  access,
  audit: null, // It reads: the filter is in the body
  body: z.strictObject({
    companyId: z.optional(id),
    organizationId: z.optional(id),
    status: z.optional(oneOrMore(z.enum(DOWNLOAD_STATES))),
    ...page,
  }),
  reply: z.object({ success: z.literal(true), results: z.array(backgroundDownload), count: z.int() }),
  failure: 'The downloads could not be read. Try again later.',
  summary: 'Background downloads of the user, newest first.',
});

export const readDownload = declareCall({
  method: 'GET',
  path: '/o365/restore/downloads/{id}',
  access,
  params,
  reply: backgroundDownloadReply,
  failure: 'The download could not be read. Try again later.',
  summary: 'How far a background download is.',
});

export const cancelDownload = declareCall({
  method: 'POST',
  path: '/o365/restore/downloads/{id}',
  access,
  audit: 'restore-download.cancel',
  params,
  body: z.strictObject({ action: z.literal('cancel') }),
  reply: backgroundDownloadReply,
  failure: 'The download could not be cancelled. Try again later.',
  summary: 'Ends a background download that is not finished.',
});

export const deleteDownload = declareCall({
  method: 'DELETE',
  path: '/o365/restore/downloads/{id}',
  access,
  audit: 'restore-download.delete',
  params,
  ...done,
  failure: 'The download could not be removed. Try again later.',
  summary: 'Removes a background download with its file.',
});

/** Where the file of a download is, for `restore/downloads/proxy`. */
export const downloadUrl = (downloadId: string) => `/o365/restore/downloads/${downloadId}`;

export const fetchDownload = declareCall({
  method: 'GET',
  path: '/o365/restore/downloads/proxy',
  access,
  audit: 'restore-download.fetch',
  query: z.strictObject({ url: text(500) }),
  reply: file({
    types: [
      'application/octet-stream',
      'application/zip',
      'application/vnd.ms-outlook',
      'application/vnd.ms-outlook-message',
      'message/rfc822',
    ],
    ranges: true,
  }),
  failure: 'The file could not be read. Try again later.',
  summary: 'The file of a finished download, by its `url`. A client that broke off goes on with a range.',
});
