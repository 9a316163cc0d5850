import type { Attachment } from '@keepwatch/outlook-files/outlook-item';
import type { ItemVersion } from '../../model/items.ts';
import { booleanOf, type JsonObject, objectsOf, textOf } from '../../source/graph/json.ts';
import { type ExportParts, readContent } from '../export-parts.ts';
import { known } from './outlook-fields.ts';

const PREFIX = 'attachments/';

/**
 * The attachments that are stored beside an item (those of messages are in their MIME). Their names are in `attachments` of the
 * item's properties; bytes without an entry there are attached all the same, under their id.
 */
export function attachmentsOf(parts: ExportParts, item: ItemVersion, properties: JsonObject): Attachment[] {
  const facts = new Map(objectsOf(properties['attachments']).map((fact) => [textOf(fact['id']), fact]));
  return item.contents.flatMap((content): Attachment[] => {
    if (!content.name.startsWith(PREFIX)) return [];
    const id = content.name.slice(PREFIX.length);
    const fact = facts.get(id) ?? {};
    const about = {
      contentType: textOf(fact['contentType']),
      contentId: textOf(fact['contentId']),
      contentLocation: textOf(fact['contentLocation']),
      isInline: booleanOf(fact['isInline']),
    };
    return [
      {
        kind: 'file',
        name: textOf(fact['name']) ?? id,
        ...known(about),
        sizeBytes: content.sizeBytes,
        content: () => readContent(parts, content),
      },
    ];
  });
}
