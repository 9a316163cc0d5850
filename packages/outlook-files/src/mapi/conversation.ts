import { hash } from 'node:crypto';
import { fileTime } from './filetime.ts';

/**
 * A conversation index for an item that brings none, [MS-OXOMSG] 2.2.1.3. Items of the same topic get the same conversation, which is
 * how Outlook groups where nothing better is known.
 */
export function conversationIndex(topic: string, date: Date): Buffer {
  const index = Buffer.alloc(22);
  index.writeUInt8(1, 0);
  const { high, low } = fileTime(date);
  index.writeUInt32BE(high, 1);
  index.writeUInt8(low >>> 24, 5);
  hash('md5', Buffer.from(topic.toUpperCase(), 'utf16le'), 'buffer').copy(index, 6);
  return index;
}
