import type { ContentName } from '../../../model/items.ts';
import type { SourceContent } from '../../source.ts';
import { type JsonObject, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import type { ItemPlace } from '../reading-failures.ts';
import { SINGLE } from './mailbox-paths.ts';

/** What is read of attachments besides their bytes. */
const QUERY = '$select=id,name,contentType,size,isInline,lastModifiedDateTime';

export interface Attachments {
  /** As they stand under `attachments` in the properties of their item. */
  entities: JsonObject[];
  contents: SourceContent[];
}

/**
 * The attachments of an event or task: files as their bytes, items as MIME. What refers to a file elsewhere has no bytes, and is kept as
 * what it says. @param itemPath of the item that has them, which stands in `place`
 */
export async function readAttachments(
  { connection, request, failures }: Reading,
  itemPath: string,
  place: ItemPlace,
): Promise<Attachments> {
  const entities: JsonObject[] = [];
  const call = { path: `${itemPath}/attachments?${QUERY}`, headers: SINGLE, signal: request.signal };
  for await (const { value } of connection.pages(call)) entities.push(...value);
  const contents = entities.flatMap((entity): SourceContent[] => {
    const id = textOf(entity['id']);
    if (id === undefined || /referenceAttachment$/i.test(textOf(entity['@odata.type']) ?? '')) return [];
    const path = `${itemPath}/attachments/${encodeURIComponent(id)}/$value`;
    const open = (signal: AbortSignal) => failures.bytes(connection.download({ path, headers: SINGLE, signal }), place);
    const name: ContentName = `attachments/${id}`;
    return [{ name, sizeBytes: null, open }];
  });
  return { entities, contents };
}
