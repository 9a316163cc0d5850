import { listThread } from '@keepwatch/contract/restore/threads';
import { previewThread } from '@keepwatch/engine/engine';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { recordLook } from '../explorers/audited.ts';
import type { RestoreServices } from '../restore-services.ts';
import { lookAtItem } from './look-at-item.ts';
import { shownPreview } from './shown-preview.ts';

/** The conversation around a post, a reply or a message of a chat. */
export function threadCalls(services: RestoreServices): Route[] {
  return [
    answer(listThread, (context, { params, query: { limit, after, ...place } }) =>
      lookAtItem(services, context, params.restoreSessionId, place, async ({ opened, found, item }, gone) => {
        const { object, revision, stored } = found;
        const { showDeleted } = opened.session;
        const page = after === undefined ? { limit } : { limit, after };
        const { rows, next } = await previewThread(stored, { object, revision, showDeleted, item, ...page }, gone);
        await recordLook(context, opened, { object: object.name, conversationOf: item.name });
        return { data: rows.map((row) => ({ ...shownPreview(row, []), id: row.id })), _next: next };
      }),
    ),
  ];
}
