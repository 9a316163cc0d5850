import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { page, text } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { nodeId, session } from './explorer.ts';
import { itemPreview } from './previews.ts';

/** What was said around a post, a reply or a message of a chat. */

export const listThread = declareCall({
  method: 'GET',
  path: '/o365/restore/restoresessions/{restoreSessionId}/thread',
  access: 'o365.restoreTeams',
  audit: 'restore.preview',
  params: session,
  query: z.strictObject({
    objectId: nodeId,
    /** A post, a reply or a message of a chat. */
    itemId: nodeId,
    limit: page.limit,
    /** `_next` of the page before. */
    after: z.optional(text(2_000)),
  }),
  ...itemOf(z.array(itemPreview), { _next: z.nullable(z.string()) }),
  failure: 'The conversation could not be read. Try again later.',
  summary:
    'The post with its replies in the order of time; of a chat what was said before a message, the message, and what followed. At most 50 a page: a page can be short, even empty, and have a next one.',
});
