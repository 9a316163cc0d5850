import type { BrowseQuery, CatalogObject, Page, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';
import { messageId, messageOfId } from '../source/graph/team/message-item.ts';

/** What was said around a message, as it was at a revision. */
export interface ThreadOrder {
  object: CatalogObject;
  revision: number;
  showDeleted?: boolean;
  /** A post, a reply or a message of a chat. */
  item: ItemVersion;
  limit: number;
  /** Cursor of the page before. */
  after?: string;
}

/** Replies are stored in their channel, and the next ones of a post may be far: a page looks through so many at most. */
const LOOKED_THROUGH_MAX = 10_000;
const ROWS_A_QUERY = 500;
/** Messages of a chat that are shown before the one that is looked at. */
const BEFORE = 10;

/**
 * A page of what was said around a message, in the order of time: the post with its replies; of a chat what came before, the message, and what
 * followed. A page can be short, even empty, and have a next one.
 */
export function threadOf(
  catalog: RepositoryCatalog,
  order: ThreadOrder,
  signal: AbortSignal,
): Promise<Page<ItemVersion>> {
  return order.item.kind === 'chat-message' ? chatAround(catalog, order) : postWithReplies(catalog, order, signal);
}

async function chatAround(catalog: RepositoryCatalog, order: ThreadOrder): Promise<Page<ItemVersion>> {
  const { item, limit, after } = order;
  const query = { ...listOf(order, item.parentId), kinds: ['chat-message'] as const, limit };
  if (after !== undefined) return catalog.browse({ ...query, sort: 'date', after });
  const from = dateOf(item);
  const earlier = await catalog.browse({ ...query, sort: '-date', from, limit: BEFORE + 1 });
  const before = earlier.rows
    .filter(({ id }) => id !== item.id)
    .slice(0, BEFORE)
    .reverse();
  const later = await catalog.browse({ ...query, sort: 'date', from });
  const shown = new Set([item.id, ...before.map(({ id }) => id)]);
  return { rows: [...before, item, ...later.rows.filter(({ id }) => !shown.has(id))], next: later.next };
}

async function postWithReplies(
  catalog: RepositoryCatalog,
  order: ThreadOrder,
  signal: AbortSignal,
): Promise<Page<ItemVersion>> {
  const { object, revision, item, limit, after } = order;
  const said = messageOfId(item.id);
  if (said === null) throw new EngineError('bad-request', `A ${item.kind} is in no conversation.`);
  const { conversationId } = said;
  const postId = said.postId ?? said.id;
  const place = { kind: 'post', conversationId, path: '', postId: null } as const;
  const post = said.postId === null ? item : await catalog.item(object.key, revision, messageId(place, postId));
  const rows: ItemVersion[] = after === undefined && post !== null ? [post] : [];
  const query = { ...listOf(order, conversationId), kinds: ['reply'] as const, sort: 'date' as const };
  const start: Place = after === undefined ? { cursor: null, skip: 0 } : readPlace(after);
  const from = post === null ? {} : { from: dateOf(post) };
  let at: Place | null = start;
  for (let seen = 0; at !== null && rows.length < limit && seen < LOOKED_THROUGH_MAX; ) {
    signal.throwIfAborted();
    const { cursor, skip }: Place = at;
    const page: Page<ItemVersion> = await catalog.browse({
      ...query,
      ...(cursor === null ? from : { after: cursor }),
      limit: ROWS_A_QUERY,
    });
    seen += page.rows.length;
    at = page.next === null ? null : { cursor: page.next, skip: 0 };
    for (const [index, reply] of page.rows.entries()) {
      if (index < skip || messageOfId(reply.id)?.postId !== postId) continue;
      if (rows.length === limit) {
        at = { cursor, skip: index };
        break;
      }
      rows.push(reply);
    }
  }
  return { rows, next: at === null ? null : `${at.skip} ${at.cursor ?? ''}` };
}

const listOf = ({ object, revision, showDeleted = false }: ThreadOrder, parentId: string | null) =>
  ({ object: object.key, revision, parentId, showDeleted }) satisfies Partial<BrowseQuery>;

/** By which lists sort it. */
function dateOf({ details, modifiedAt }: ItemVersion): Date {
  return new Date(details.sentAt ?? modifiedAt ?? details.createdAt ?? 0);
}

/** A page of replies, and how many of its rows are behind. */
interface Place {
  cursor: string | null;
  skip: number;
}

function readPlace(after: string): Place {
  const [, skip, cursor] = /^(\d{1,3}) (.*)$/.exec(after) ?? [];
  if (skip === undefined || cursor === undefined)
    throw new EngineError('bad-request', 'This page no longer fits the conversation. Start again from its first page.');
  return { cursor: cursor === '' ? null : cursor, skip: Number(skip) };
}
