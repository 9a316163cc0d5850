import type { NewItem } from '../../target.ts';
import { booleanOf, objectsOf, textOf } from '../json.ts';
import type { NewAttachment } from './attachment-writer.ts';
import { bytesOf } from './mailbox-writing.ts';

/** The attachments of an event or task as they were stored, one at a time, and the names of those that have no bytes. */
export async function* storedAttachments(item: NewItem): AsyncGenerator<NewAttachment | { lost: string }> {
  for (const entity of objectsOf(item.properties['attachments'])) {
    const name = textOf(entity['name']) ?? 'attachment';
    const bytes = await bytesOf(item, `attachments/${textOf(entity['id']) ?? ''}`);
    if (bytes === null) yield { lost: `the attachment ${name}` };
    else
      yield {
        name,
        contentType: textOf(entity['contentType']) ?? 'application/octet-stream',
        isInline: booleanOf(entity['isInline']) ?? false,
        contentId: textOf(entity['contentId']) ?? null,
        bytes,
      };
  }
}
