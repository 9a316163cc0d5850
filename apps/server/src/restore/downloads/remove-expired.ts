import type { RestoreServices } from '../restore-services.ts';
import { removeFile } from './download-files.ts';
import { findDownload, listExpired, updateDownload } from './downloads.ts';

/** Removes the files of downloads whose time is over; the rows stay and say so. */
export async function removeExpired(
  services: Pick<RestoreServices, 'database' | 'now' | 'downloadsFolder'>,
  signal: AbortSignal,
): Promise<void> {
  for (const key of await listExpired(services.database, services.now())) {
    if (signal.aborted) return;
    const download = await findDownload(services.database, key);
    if (download === null) continue;
    await removeFile(services.downloadsFolder, download.id, download.format);
    await updateDownload(services.database, key, { state: 'expired' });
  }
}
