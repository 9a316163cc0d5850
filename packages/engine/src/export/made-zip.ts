import type { ItemScope } from '../browse/item-scope.ts';
import type { ExportCount, ExportParts } from './export-parts.ts';

/** A file in a ZIP of what is made of items: a page, a table, what is attached. */
export interface MadeEntry {
  name: string;
  /** Without it: none. */
  modifiedAt?: Date | null;
  /** `null`: it is not known before it is made. */
  sizeBytes: number | null;
  open(): AsyncIterable<Uint8Array>;
  /** A ZIP that is written to a file goes on without one that cannot be read, where it is one of many. */
  onMissing?(error: unknown): void;
}

/** Makes the files of a ZIP. What was stored is never changed, so that they are the same each time. */
export type MadeEntries = (parts: ExportParts, scope: ItemScope, count: ExportCount) => AsyncIterable<MadeEntry>;

export function madeEntry(name: string, content: string | Buffer): MadeEntry {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  async function* open() {
    yield bytes;
  }
  return { name, sizeBytes: bytes.length, open };
}
