import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';
import { contentOf, type ExportParts } from './export-parts.ts';

/** A message as EML: the bytes that the mail server gave, unchanged. The file has its name only when it is whole. */
export async function exportEml(parts: ExportParts, item: ItemVersion, path: string): Promise<void> {
  const content = contentOf(item, 'mime');
  if (content === null)
    throw new EngineError(
      'bad-request',
      `'${item.name}' is a ${item.kind}: only messages can be saved as EML. Choose MSG or PST.`,
    );
  await writeWhole(parts.repository.read(content, parts.catalog, parts.signal), path, parts.signal);
}

export async function writeWhole(bytes: AsyncIterable<Uint8Array>, path: string, signal: AbortSignal): Promise<void> {
  const unfinished = `${path}.unfinished`;
  try {
    await pipeline(
      Readable.from(bytes, { objectMode: false }),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }),
      { signal },
    );
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
