import type { ContentName, ItemVersion } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';

/** How a restored item compares with what its source has now. Only what did not change since can be compared. */
export type Comparison =
  | { outcome: 'same' | 'changed' | 'gone'; reason: null }
  | { outcome: 'not-compared' | 'differs'; reason: string };

/** Some bytes, in the forms that sources list. */
export interface Hashes {
  sizeBytes: number;
  /** In hexadecimal digits. */
  sha256: string;
  /** In base64, as drives list it. */
  quickXor: string;
}

/** What a source has of items that were backed up: to compare with what comes back of them. */
export interface Originals {
  hashesOf(bytes: AsyncIterable<Uint8Array>): Promise<Hashes>;
  /** @throws the reason of the signal, and nothing else: what could not be compared says why */
  compare(
    object: ProtectedObject,
    version: ItemVersion,
    restored: ReadonlyMap<ContentName, Hashes>,
  ): Promise<Comparison>;
}

export const notCompared = (reason: string): Comparison => ({ outcome: 'not-compared', reason });
