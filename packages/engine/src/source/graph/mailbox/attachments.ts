import type { ContentName } from '../../../model/items.ts';
import type { SourceContent } from '../../source.ts';
import { type JsonObject, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import type { ItemPlace } from '../reading-failures.ts';
import { SINGLE } from './mailbox-paths.ts';

/** What is read of attachments besides their bytes. */
const QUERY = '$select=id,name,contentType,size,isInline,lastModifiedDateTime';

export interface Attachments {
  /** As listed under `attachments` in the properties of their item. */
  entities: JsonObject[];
  contents: SourceContent[];
}

/**
 * Reads the attachments of an event or task: files as their bytes, items as MIME. A reference to a file elsewhere has no bytes; only its
 * properties are stored.
 * @param itemPath of the item that has them
 * @param place of the same item
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
