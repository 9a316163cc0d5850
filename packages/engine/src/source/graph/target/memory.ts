import { SharedRoom } from '../../../model/shared-room.ts';
import type { NewItem } from '../../target.ts';

/** Of items that are being written: by all restores of this process, by one, and by one whatever the others write. */
const SIZES = { room: 128 * 2 ** 20, share: 96 * 2 ** 20, reserve: 4 * 2 ** 20 };
const processRoom = new SharedRoom(SIZES);

/**
 * Writes an item when its bytes fit in memory beside those that are being written. It is in memory as it is stored, as base64, within its request,
 * and as the request's bytes; its contents are read one after the other.
 */
export type WithinMemory = <T>(item: Pick<NewItem, 'contents'>, work: () => Promise<T>) => Promise<T>;

/** For the items of one target. */
export function itemMemory(): WithinMemory {
  const share = processRoom.share();
  return ({ contents }, work) => share.during(4 * Math.max(0, ...contents.map(({ sizeBytes }) => sizeBytes)), work);
}
