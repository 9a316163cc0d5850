import type { ItemScope } from '../browse/item-scope.ts';
import type { ExportCount, ExportParts } from './export-parts.ts';

/** A file in a ZIP that is made of items: a page, a table. */
export interface MadeEntry {
  name: string;
  /** `null`: it is not known before it is made. */
  sizeBytes: number | null;
  open(): AsyncIterable<Uint8Array>;
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
