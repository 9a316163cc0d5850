import { LOST_AFTER_MS } from './abandoned-work.ts';
import { endLostDownloads } from './downloads/downloads.ts';
import { removeExpired } from './downloads/remove-expired.ts';
import { removeUnknownFiles } from './downloads/remove-unknown-files.ts';
import { endLostOperations } from './operations/operations.ts';
import { removeOldRecords } from './remove-old-records.ts';
import type { RestoreServices } from './restore-services.ts';
import { removeEndedSignIns } from './sign-in/sign-ins.ts';

/** Removes files, sign-ins and records whose time is over, and ends what no worker has any more. */
export async function tidy(
  services: Pick<RestoreServices, 'database' | 'now' | 'downloadsFolder'>,
  signal: AbortSignal,
): Promise<void> {
  const { database } = services;
  const now = services.now();
  const lostBefore = new Date(now.getTime() - LOST_AFTER_MS);
  await removeEndedSignIns(database, now);
  await endLostOperations(database, lostBefore, now);
  await endLostDownloads(database, lostBefore, now);
  await removeExpired(services, signal);
  await removeUnknownFiles(services, signal);
  await removeOldRecords(database, now, signal);
}
