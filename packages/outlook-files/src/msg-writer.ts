import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { mapiMessage } from './mapi/mapi-message.ts';
import { compoundFile } from './msg/compound-file.ts';
import { messageStorage } from './msg/message-storage.ts';
import type { OutlookItem } from './outlook-item.ts';

/**
 * An item as the bytes of an MSG file, [MS-OXMSG], from first to last: what a download streams. Attachments pass through.
 * @throws AttachmentSizeError, RangeError where it would exceed 2 GiB
 */
export function msgBytes(item: OutlookItem): AsyncGenerator<Uint8Array> {
  return compoundFile(messageStorage(mapiMessage(item)));
}

/** Writes an item as MSG file. The file appears only when it is whole; one of that name is replaced. */
export async function writeMsg(path: string, item: OutlookItem): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.partial`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(msgBytes(item));
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => undefined); // it may be closed already; what matters is the error before
    await rm(temporary, { force: true });
    throw error;
  }
}
