import { type ExportParts, readContent, readProperties } from '../export/export-parts.ts';
import type { ContentName, ItemVersion } from '../model/items.ts';
import type { Hashes, Originals } from '../source/originals.ts';

/** What came back of an item that was read whole. */
export interface ReadBack {
  bytes: number;
  contents: ReadonlyMap<ContentName, Hashes>;
}

/** Reads all contents of an item, as a restore does. They pass through memory. @throws `damaged` */
export async function readBack(
  parts: ExportParts,
  { hashesOf }: Pick<Originals, 'hashesOf'>,
  version: ItemVersion,
): Promise<ReadBack> {
  const contents = new Map<ContentName, Hashes>();
  for (const content of version.contents) contents.set(content.name, await hashesOf(readContent(parts, content)));
  // Bytes that are right and are no properties would restore nothing.
  await readProperties(parts, version);
  return { bytes: [...contents.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), contents };
}
