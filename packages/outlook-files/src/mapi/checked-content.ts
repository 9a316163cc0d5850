import { AttachmentSizeError } from '../errors.ts';
import type { MapiAttachment } from './mapi-object.ts';

/** The bytes of an attachment; fails where there are not exactly as many as announced. */
export async function* checkedContent(
  content: MapiAttachment['content'] & { kind: 'bytes' },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content.stream()) {
    bytes += chunk.length;
    if (bytes > content.sizeBytes) {
      throw new AttachmentSizeError(content.name, content.sizeBytes, bytes);
    }
    yield chunk;
  }
  if (bytes !== content.sizeBytes) {
    throw new AttachmentSizeError(content.name, content.sizeBytes, bytes);
  }
}
