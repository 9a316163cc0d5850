import { Readable } from 'node:stream';
import { downloadItemPart, type ItemPreview, previewItem, showItemPicture } from '@keepwatch/contract/restore/previews';
import { listParts, openPart, openPicture, preview } from '@keepwatch/engine/engine';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { recordLook } from '../explorers/audited.ts';
import type { RestoreServices } from '../restore-services.ts';
import { type FoundVersion, lookAtItem } from './look-at-item.ts';
import { shownPreview } from './shown-preview.ts';

/** Looking at one item of a session. */
export function previewCalls(services: RestoreServices): Route[] {
  return [
    answer(previewItem, (context, { params, query: { part, ...place } }) =>
      lookAtItem(services, context, params.restoreSessionId, place, async (item, gone) => {
        await recordLook(context, item.opened, lookOf(item, part));
        return { data: { ...(await shown(item, part, gone)), id: place.itemId } };
      }),
    ),
    answer(showItemPicture, (context, { params, query: { part, ...place } }) =>
      lookAtItem(services, context, params.restoreSessionId, place, async (item, gone) => {
        await recordLook(context, item.opened, lookOf(item, part));
        const { name, type, bytes } = await openPicture(item.found.stored, item.item, part, gone);
        return { name, type, length: bytes.length, stream: Readable.from([bytes]) };
      }),
    ),
    answer(downloadItemPart, (context, { params, query: { part, ...place } }) =>
      lookAtItem(services, context, params.restoreSessionId, place, async (item, gone) => {
        const open = await openPart(item.found.stored, item.item, part, gone);
        await recordLook(context, item.opened, lookOf(item, part));
        const stream = Readable.from(open.bytes(), { objectMode: false });
        return { name: open.part.name, length: open.part.sizeBytes, stream };
      }),
    ),
  ];
}

/** For the audit log. */
function lookOf({ found, item }: FoundVersion, part: string | undefined) {
  return { object: found.object.name, item: item.name, ...(part === undefined ? {} : { part }) };
}

async function shown(
  { found: { stored, object }, item }: FoundVersion,
  part: string | undefined,
  gone: AbortSignal,
): Promise<Omit<ItemPreview, 'id'>> {
  const order = { object, item, ...(part === undefined ? {} : { part }) };
  const found = await preview(stored, order, gone);
  const isFile = item.kind === 'file' && part === undefined;
  return shownPreview(found, isFile ? await listParts(stored, item, gone) : found.attachments);
}
