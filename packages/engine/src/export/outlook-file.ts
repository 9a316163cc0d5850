import { writeMsg } from '@keepwatch/outlook-files/msg-writer';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';
import { contentOf, type ExportParts, readContent } from './export-parts.ts';
import { lossesOf, outlookItemOf } from './outlook/outlook-item-of.ts';
import { writeWhole } from './write-whole.ts';

/**
 * An item of a mailbox as MSG. The file has its name only when it is whole.
 * @returns what of a message could not be split into its parts, as sentences
 */
export async function exportMsg(parts: ExportParts, item: ItemVersion, path: string): Promise<readonly string[]> {
  const outlookItem = await outlookItemOf(parts, item);
  await writeMsg(path, outlookItem);
  return lossesOf(outlookItem);
}

/** A message as EML: the bytes that the mail server gave, unchanged. The file has its name only when it is whole. */
export async function exportEml(parts: ExportParts, item: ItemVersion, path: string): Promise<void> {
  const content = contentOf(item, 'mime');
  if (content === null)
    throw new EngineError(
      'bad-request',
      `'${item.name}' is a ${item.kind}: only messages can be saved as EML. Choose MSG or PST.`,
    );
  await writeWhole(readContent(parts, content), path, parts.signal);
}
