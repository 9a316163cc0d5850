import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { downloadZip } from '@keepwatch/engine/engine';
import { changeWithin } from '../../audit/change.ts';
import { transaction } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import type { StreamedFile } from '../../foundation/http/replies/file-reply.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert } from '../../foundation/table-writes.ts';
import { refusing } from '../engine-refusal.ts';
import { recordLook } from '../explorers/audited.ts';
import { weighItems } from '../explorers/weigh-items.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { type FoundObject, scopeOf, storedScope } from '../sessions/session-objects.ts';
import { restoreDownloads } from '../tables.ts';
import { ensureFolder, fileOf } from './download-files.ts';
import { type DownloadFormat, type DownloadOrder, MEDIA_TYPES } from './download-order.ts';
import { type DownloadRow, shownDownload } from './downloads.ts';
import { makeDownloadJob } from './make-download.job.ts';
import { makeFile } from './make-file.ts';

/** What is to be downloaded of an object that was found in the session. */
export interface DownloadToAnswer<F extends DownloadFormat> {
  found: FoundObject;
  items: readonly string[] | null;
  format: F;
  messagesAs?: 'eml' | 'msg';
  keyword?: string | undefined;
  /** Without its ending. */
  fileName: string | undefined;
  downloadInBackground: boolean;
}

/** A file that has to be made before its first byte can be sent: of more than this a caller would wait for minutes. */
const AT_ONCE_BYTES_MAX = 512 * 1024 ** 2;

type Answer<F extends DownloadFormat> = StreamedFile & { type: (typeof MEDIA_TYPES)[F] | 'application/json' };

/** Answers with the file itself, or with the background download that makes it. @throws 409 for what is too much to be made at once */
export async function answerDownload<F extends DownloadFormat>(
  services: RestoreServices,
  context: ChangingContext,
  opened: OpenedSession,
  download: DownloadToAnswer<F>,
): Promise<Answer<F>> {
  return download.downloadInBackground
    ? inBackground(context, opened, download)
    : context.outside((gone) => refusing(() => atOnce(services, context, opened, download, gone)));
}

function orderOf<F extends DownloadFormat>(
  opened: OpenedSession,
  { found, items, format, messagesAs = 'eml', keyword }: DownloadToAnswer<F>,
): DownloadOrder {
  return { scope: storedScope(opened, found, items), format, messagesAs, keyword: keyword ?? null };
}

/** The name of the file for people. */
function fileNameOf({ fileName, found, format }: DownloadToAnswer<DownloadFormat>): string {
  const name = (fileName ?? '').trim() || found.object.name;
  return `${name.replace(/[/\\\p{Cc}]/gu, '_').slice(0, 200)}.${format}`;
}

async function inBackground<F extends DownloadFormat>(
  context: ChangingContext,
  opened: OpenedSession,
  download: DownloadToAnswer<F>,
): Promise<Answer<F>> {
  const row = rowOf(context, opened, download);
  await transaction(context.database, async (connection) => {
    await insert(connection, restoreDownloads, row);
    await context.queue.send(connection, makeDownloadJob, { providerId: row.providerId, downloadId: row.id });
    const after = lookOf(opened, download, true);
    await changeWithin(connection, context, { kind: 'restore-download', id: row.id }, { result: null, after });
  });
  const text = JSON.stringify({ success: true, download: shownDownload(row) });
  return { name: 'download.json', type: 'application/json', stream: Readable.from([Buffer.from(text)]) };
}

function lookOf({ organization }: OpenedSession, download: DownloadToAnswer<DownloadFormat>, inTheBackground: boolean) {
  const { found, items, format } = download;
  const what = { object: found.object.name, items: items?.length ?? 'all', format, inBackground: inTheBackground };
  return { organization: organization.name, ...what };
}

function rowOf<F extends DownloadFormat>(
  { actor, now }: ChangingContext,
  opened: OpenedSession,
  download: DownloadToAnswer<F>,
): DownloadRow {
  const { session, organization } = opened;
  return {
    providerId: session.providerId,
    id: newId(),
    companyId: session.companyId,
    organizationId: session.organizationId,
    organizationName: organization.name,
    sessionId: session.id,
    userId: actor.userId,
    username: actor.username,
    fileName: fileNameOf(download),
    format: download.format,
    downloadOrder: orderOf(opened, download),
    state: 'queued',
    createdAt: now().toISOString(),
    cancelAskedAt: null,
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
    progress: {},
    sizeBytes: null,
    sha256: null,
    missing: 0,
    message: null,
    claims: 0,
  };
}

async function atOnce<F extends DownloadFormat>(
  services: RestoreServices,
  context: ChangingContext,
  opened: OpenedSession,
  download: DownloadToAnswer<F>,
  gone: AbortSignal,
): Promise<Answer<F>> {
  const { found, items, format } = download;
  const isStored = format === 'zip' && found.object.kind === 'drive';
  if (!isStored) await requireSmall(found, items);
  await recordLook(context, opened, lookOf(opened, download, false));
  const file = isStored ? await storedZip(opened, download, gone) : await madeFile(services, opened, download, gone);
  return { name: fileNameOf(download), type: MEDIA_TYPES[format], ...file };
}

async function requireSmall(found: FoundObject, items: readonly string[] | null): Promise<void> {
  const { sizeBytes } = await weighItems(found, { items: items?.map((id) => ({ id })) });
  if (sizeBytes <= AT_ONCE_BYTES_MAX) return;
  const gigabytes = (sizeBytes / 1024 ** 3).toFixed(1);
  throw new Refusal(
    409,
    'TOO_LARGE',
    `These are ${gigabytes} GB. Let the file be made in the background; it then waits under Downloads.`,
  );
}

/** Files are sent as they are read: nothing is on a disk before. */
async function storedZip(
  opened: OpenedSession,
  { found, items }: DownloadToAnswer<DownloadFormat>,
  gone: AbortSignal,
): Promise<{ stream: Readable; length: number }> {
  const zip = await downloadZip(found.stored, scopeOf(opened, found, items), gone);
  return { stream: Readable.from(zip.open(), { objectMode: false }), length: zip.sizeBytes };
}

/** The file is made in the folder of downloads, and goes when it was sent or its caller went away. */
async function madeFile(
  { downloadsFolder }: RestoreServices,
  opened: OpenedSession,
  download: DownloadToAnswer<DownloadFormat>,
  gone: AbortSignal,
): Promise<{ stream: Readable }> {
  const { found, items, format, messagesAs = 'eml', keyword = null } = download;
  const path = fileOf(await ensureFolder(downloadsFolder), `at-once-${newId()}`, format);
  const scope = scopeOf(opened, found, items);
  try {
    await makeFile({ stored: found.stored, scope }, { format, messagesAs, keyword }, path, {
      signal: gone,
      onEvent() {},
    });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  const stream = createReadStream(path);
  stream.once('close', () => rm(path, { force: true }).catch(() => undefined));
  return { stream };
}
