import { rename, rm } from 'node:fs/promises';
import { EngineError, type EngineEvent } from '@keepwatch/engine/engine';
import { Refusal } from '../../foundation/errors.ts';
import { retryAfterSeconds } from '../../foundation/http/busy-database.ts';
import { ABANDONED, isAbandoned } from '../abandoned-work.ts';
import { followCancel } from '../follow-cancel.ts';
import type { RestoreServices } from '../restore-services.ts';
import { requireCovered } from '../roles/user-reach.ts';
import { watchReach } from '../roles/watch-reach.ts';
import { openScope } from '../sessions/open-scope.ts';
import { ensureFolder, fileOf, fingerprintOf } from './download-files.ts';
import type { DownloadProgress } from './download-order.ts';
import {
  claimDownload,
  type DownloadKey,
  type DownloadRow,
  finishDownload,
  isDownloadCancelled,
  releaseDownload,
  updateDownload,
} from './downloads.ts';
import { makeFile } from './make-file.ts';

/** A finished file stays for so long. */
const FILE_MS = 7 * 24 * 60 * 60 * 1_000;
const REPORT_MS = 1_000;

/**
 * Makes the file of a background download. One whose worker died is made again from its beginning. Ends as failed with a message for people; throws
 * what the queue is to repeat.
 */
export async function makeDownload(services: RestoreServices, key: DownloadKey, job: AbortSignal): Promise<void> {
  const { database, now } = services;
  const download = await claimDownload(database, key, now());
  if (download === null) return;
  try {
    if (isAbandoned(download)) await endWith(services, download, ABANDONED);
    else await make(services, download, job);
  } catch (error) {
    await releaseDownload(database, key).catch(() => undefined);
    throw error;
  }
}

async function make(services: RestoreServices, download: DownloadRow, job: AbortSignal): Promise<void> {
  const { database, now } = services;
  const requireAllowed = watchReach(services, download, [download.downloadOrder.scope.identity]);
  const cancelling = followCancel(() => isDownloadCancelled(database, download), requireAllowed, job);
  try {
    await writeFile(services, download, cancelling.signal);
  } catch (error) {
    if (cancelling.isCancelled()) {
      await updateDownload(database, download, { state: 'cancelled', finishedAt: now() });
      return;
    }
    const refusal = cancelling.refusal();
    if (refusal === null) cancelling.signal.throwIfAborted();
    if (refusal === null && retryAfterSeconds(error) !== null) throw error;
    const reason = refusal ?? error;
    if (!isForPeople(reason)) services.log.error({ err: reason }, 'a download failed');
    await endWith(services, download, messageOf(reason));
  } finally {
    cancelling.end();
  }
}

async function endWith({ database, now }: RestoreServices, key: DownloadKey, message: string): Promise<void> {
  await updateDownload(database, key, { state: 'failed', message, finishedAt: now() });
}

function isForPeople(error: unknown): error is EngineError | Refusal {
  return error instanceof EngineError || error instanceof Refusal;
}

function messageOf(error: unknown): string {
  return isForPeople(error) ? error.message : 'The file could not be made. Try again later.';
}

async function writeFile(services: RestoreServices, download: DownloadRow, signal: AbortSignal): Promise<void> {
  const { database, now, downloadsFolder } = services;
  const { id, format, downloadOrder } = download;
  const opened = await openScope(services, download, downloadOrder.scope);
  const path = fileOf(await ensureFolder(downloadsFolder), id, format);
  // Two workers may be at it, where one was believed to be dead: each writes a file of its own.
  const draft = fileOf(downloadsFolder, `${id}-${crypto.randomUUID()}`, format);
  try {
    const made = await makeFile(opened, downloadOrder, draft, { signal, onEvent: reporting(services, download) });
    const fingerprint = await fingerprintOf(draft, signal);
    await requireCovered(services, download, [downloadOrder.scope.identity]);
    await rename(draft, path);
    const [first] = made.missing;
    const isFinished = await finishDownload(database, download, {
      state: 'finished',
      ...fingerprint,
      missing: made.missing.length,
      message:
        first === undefined
          ? null
          : `${made.missing.length} items cannot be read and are not in it. The first is '${first.name}': ${first.reason}`,
      finishedAt: now(),
      expiresAt: new Date(now().getTime() + FILE_MS),
    });
    if (!isFinished) await rm(path, { force: true });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes how far it is, at most once a second. */
function reporting({ database }: RestoreServices, key: DownloadKey) {
  let writtenMs = 0;
  return (event: EngineEvent) => {
    if (event.type !== 'progress' || Date.now() - writtenMs < REPORT_MS) return;
    writtenMs = Date.now();
    const progress: DownloadProgress = { items: event.done, totalItems: event.total, bytes: event.bytes ?? 0 };
    // The next report says the same and more.
    updateDownload(database, key, { progress }).catch(() => undefined);
  };
}
