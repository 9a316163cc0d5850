import type { NewItem } from '../../target.ts';
import { ByteBudget } from './byte-budget.ts';

/** Of items that are being written, by all restores of this process together. */
const MEMORY = new ByteBudget(128 * 1024 * 1024);

/**
 * Writes an item when its bytes fit in memory beside those that are being written. It is in memory as it is stored, as base64, within its request,
 * and as the request's bytes; its contents are read one after the other.
 */
export function withinMemory<T>({ contents }: Pick<NewItem, 'contents'>, work: () => Promise<T>): Promise<T> {
  return MEMORY.run(4 * Math.max(0, ...contents.map(({ sizeBytes }) => sizeBytes)), work);
}
