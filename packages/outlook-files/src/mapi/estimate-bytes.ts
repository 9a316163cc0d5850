import type { OutlookItem } from '../outlook-item.ts';

/** Blocks have trailers and indexes above them, and thirty of the largest leave a gap before the next allocation map. */
const OVERHEAD = 1.04;
const PER_ATTACHMENT = 2_048;
const PER_ADDRESS = 1_024;
const PER_ITEM = 8_192;

/** Estimates the bytes of an item in a file before it is written, rather too many. */
export function estimateBytes(item: OutlookItem): number {
  const addresses =
    item.kind === 'message'
      ? (item.recipients?.length ?? 0)
      : item.kind === 'appointment'
        ? (item.attendees?.length ?? 0)
        : 0;
  const headers = item.kind === 'message' ? (item.internetHeaders?.length ?? 0) : 0;
  const photo = item.kind === 'contact' ? (item.photo?.length ?? 0) : 0;
  const attachments = (item.attachments ?? []).reduce(
    (sum, attachment) =>
      sum + PER_ATTACHMENT + (attachment.kind === 'item' ? estimateBytes(attachment.item) : attachment.sizeBytes),
    0,
  );
  const text = 2 * ((item.bodyText?.length ?? 0) + headers) + 3 * (item.bodyHtml?.length ?? 0);
  return Math.ceil((text + photo + attachments) * OVERHEAD) + addresses * PER_ADDRESS + PER_ITEM;
}
