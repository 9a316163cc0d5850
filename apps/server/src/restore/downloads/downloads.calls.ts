import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  cancelDownload,
  deleteDownload,
  downloadUrl,
  fetchDownload,
  listDownloads,
  readDownload,
} from '@keepwatch/contract/restore/downloads';
import { record } from '../../audit/audit.ts';
import { change } from '../../audit/change.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import type { ChangingContext, SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import type { RestoreServices } from '../restore-services.ts';
import { SeenRows } from '../roles/seen-rows.ts';
import { fileOf, removeFile } from './download-files.ts';
import { MEDIA_TYPES } from './download-order.ts';
import {
  type DownloadRow,
  findOwnDownload,
  listOwnDownloads,
  removeDownload,
  shownDownload,
  updateDownload,
} from './downloads.ts';

/** Files that workers make for users. */
export function downloadCalls(services: RestoreServices): Route[] {
  const seen = new SeenRows<DownloadRow>(services, ({ organizationId, downloadOrder }) => ({
    organizationId,
    objects: [downloadOrder.scope.identity],
  }));
  return [list(seen), read(seen), cancel(seen), drop(services, seen), fetchFile(services, seen)];
}

type Seen = SeenRows<DownloadRow>;

const list = (seen: Seen): Route =>
  answer(listDownloads, async (context, { body }) => {
    const { database, actor } = context;
    const { count, data } = await seen.page(context, body, (page) =>
      listOwnDownloads(database, actor, { ...body, ...page }),
    );
    return { results: data.map(shownDownload), count };
  });

const read = (seen: Seen): Route =>
  answer(readDownload, async (context, { params }) => ({
    download: shownDownload(await requireDownload(context, seen, params.id)),
  }));

const cancel = (seen: Seen): Route =>
  answer(cancelDownload, async (context, { params: { id } }) => {
    await requireDownload(context, seen, id);
    await cancelOne(context, id);
    return { download: shownDownload(await requireDownload(context, seen, id)) };
  });

async function cancelOne(context: ChangingContext, id: string): Promise<void> {
  await change(context, { kind: 'restore-download', id }, async (connection) => {
    const download = await findOwnDownload(connection, context.actor, id);
    if (download === null) return null;
    if (!isUnderWay(download) || download.cancelAskedAt !== null) return { result: null, isUnchanged: true };
    // What a worker has begun it also cleans up; until then it is shown as cancelled already.
    await updateDownload(connection, download, {
      cancelAskedAt: context.now(),
      state: 'cancelled',
      finishedAt: context.now(),
    });
    return { result: null, after: { fileName: download.fileName } };
  });
}

const isUnderWay = ({ state }: DownloadRow) => state === 'queued' || state === 'running';

function drop(services: RestoreServices, seen: Seen): Route {
  return answer(deleteDownload, async (context, { params: { id } }) => {
    await requireDownload(context, seen, id);
    const download = await change(context, { kind: 'restore-download', id }, async (connection) => {
      const found = await findOwnDownload(connection, context.actor, id);
      if (found === null) return null;
      await removeDownload(connection, found);
      return { result: found, before: { fileName: found.fileName } };
    });
    await removeFile(services.downloadsFolder, download.id, download.format);
    return {};
  });
}

async function requireDownload(context: SignedInContext, seen: Seen, id: string): Promise<DownloadRow> {
  const found = await seen.one(context, await findOwnDownload(context.database, context.actor, id));
  if (found === null) throw notFound('download');
  return found;
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function fetchFile(services: RestoreServices, seen: Seen): Route {
  return answer(fetchDownload, async (context, { query: { url } }) => {
    const download = await requireDownload(context, seen, requireOwnUrl(url));
    if (download.state === 'expired' || isOver(download, context.now())) throw gone();
    if (download.state !== 'finished')
      throw new Refusal(
        409,
        'DOWNLOAD_NOT_FINISHED',
        'This file is not finished. Look at its progress under Downloads.',
      );
    const path = fileOf(services.downloadsFolder, download.id, download.format);
    const length = await stat(path).then(
      ({ size }) => size,
      () => null,
    );
    if (length === null || length !== download.sizeBytes) throw gone();
    const target = { kind: 'restore-download', id: download.id };
    await record(context.database, context, { action: context.audit, target, after: { fileName: download.fileName } });
    return {
      name: download.fileName,
      type: typeOf(download),
      length,
      etag: download.sha256 ?? download.id,
      open: (range) => createReadStream(path, range ?? {}),
    };
  });
}

/** The id of a download in its address. Nothing else is fetched. @throws 404 */
function requireOwnUrl(url: string): string {
  const id = ID.exec(url)?.[0] ?? '';
  if (url === downloadUrl(id) || url === `/api${downloadUrl(id)}`) return id;
  throw notFound('download');
}

const isOver = ({ expiresAt }: DownloadRow, now: Date) => expiresAt !== null && new Date(expiresAt) <= now;

const gone = () => new Refusal(410, 'DOWNLOAD_EXPIRED', 'This file is gone: its time is over. Download it again.');

function typeOf({ downloadOrder: { format } }: DownloadRow) {
  return MEDIA_TYPES[format];
}
