import { createHash } from 'node:crypto';
import { inOrder } from '../../../model/in-order.ts';
import type { Scan, SourceEvent } from '../../source.ts';
import { type JsonObject, textOf } from '../json.ts';
import { path, SINGLE } from '../mailbox/mailbox-paths.ts';
import { asStored, groupsOf, isGone, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { type Container, type Reply, repliesTo } from '../reading-failures.ts';
import { nothingLeft, without } from '../scan-if-changed.ts';
import { wholeList } from '../whole-list.ts';
import { postItem, threadItem, wholePost } from './post-item.ts';
import { mimeOfPost } from './post-mime.ts';

const THREADS: Scan = { scope: 'threads', kinds: ['mail-folder'] };
const GROUP = 20;
const GROUPS_AT_ONCE = 2;

const postScan = (threadId: string): Scan => ({ scope: `posts/${threadId}`, kinds: ['message'], parentId: threadId });

/**
 * The conversations of a Microsoft 365 group: its threads as folders, what was posted as messages. Graph has no delta of threads, so all
 * are listed and only those that look different are read, and each once a month: a post that is removed from a thread that does not change
 * otherwise is noticed then, or with the next post. The group's calendar and the files on posts are given to signed-in members alone, never to an application
 * (https://learn.microsoft.com/graph/api/group-list-events, https://learn.microsoft.com/graph/api/attachment-get).
 */
export async function* readGroup(reading: Reading): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const { object, cursors, signal } = request;
  const threads = new Threads(reading);
  const there = new Set<string>();
  yield { type: 'scan-begin', scan: THREADS, resumed: false };
  async function* groups() {
    const call = { path: path`/groups/${object.id}/threads`, signal };
    for await (const { value } of connection.pages(call)) yield* groupsOf(value, GROUP);
  }
  for await (const events of inOrder(groups(), GROUPS_AT_ONCE, (group) => threads.read(group))) {
    for (const event of events)
      if (event.type === 'item' && event.item.kind === 'mail-folder') there.add(event.item.id);
    yield* events;
  }
  for (const scope of cursors.keys()) {
    const id = /^posts\/(.+)$/.exec(scope)?.[1];
    if (id !== undefined && !there.has(id)) yield* nothingLeft(postScan(id));
  }
  yield { type: 'scan-end', scan: THREADS };
  if (threads.withAttachments > 0) yield attachmentsAlert(object.name, threads.withAttachments);
}

function attachmentsAlert(name: string, count: number): SourceEvent {
  const message = `Microsoft Graph gives no application the files that are attached to posts of groups: those of ${count} posts of ${name} are not backed up.`;
  return { type: 'alert', alert: { code: 'attachments-not-offered', message } };
}

class Threads {
  withAttachments = 0;
  private readonly reading: Reading;
  private readonly month: string;

  constructor(reading: Reading) {
    this.reading = reading;
    this.month = new Date(reading.connection.serverNow()).toISOString().slice(0, 7);
  }

  /** Threads, and the posts of those that look different or of which a post is lost. */
  async read(threads: readonly JsonObject[]): Promise<SourceEvent[]> {
    const { connection, request } = this.reading;
    // Posts are not asked for one by one.
    const withLost = new Set(request.lost.map(({ parentId }) => parentId));
    const changed = threads.filter(
      (thread) =>
        request.cursors.get(postScan(idOf(thread)).scope) !== this.hashOf(thread) || withLost.has(idOf(thread)),
    );
    const calls = changed.map((thread) => ({ path: path`/groups/${request.object.id}/threads/${idOf(thread)}/posts` }));
    const replies = await repliesTo(connection, calls, request.signal);
    const posts = await Promise.all(changed.map((thread, index) => this.postsOf(thread, replies[index])));
    return threads.flatMap((thread) => {
      // What changes with every post would make a version of the thread each time.
      const stable = without(thread, 'lastDeliveredDateTime', 'preview', 'uniqueSenders', 'hasAttachments');
      const folder: SourceEvent = { type: 'item', item: threadItem(stable), contents: [propertiesOf(stable)] };
      return [folder, ...(posts[changed.indexOf(thread)] ?? [])];
    });
  }

  private hashOf(thread: JsonObject): string {
    return createHash('sha256')
      .update(`${this.month} ${JSON.stringify(thread)}`)
      .digest('base64url');
  }

  private async postsOf(thread: JsonObject, reply: Reply | undefined): Promise<SourceEvent[]> {
    const { connection, request, failures } = this.reading;
    const container = conversation(request.object.id, idOf(thread));
    const scan = postScan(idOf(thread));
    try {
      const posts = await wholeList(connection, reply, request.signal);
      const stored = await request.current(posts.map(idOf));
      const items = posts.map(async (post): Promise<SourceEvent> => {
        if (post['hasAttachments'] === true) this.withAttachments += 1;
        const known = stored.get(idOf(post));
        if (known !== undefined && known.details.tag === textOf(post['changeKey']))
          return asStored(known, idOf(thread));
        return postEvent(wholePost(post, thread), idOf(thread));
      });
      return [
        { type: 'scan-begin', scan, resumed: false },
        ...(await Promise.all(items)),
        { type: 'scan-end', scan },
        { type: 'cursor', scope: scan.scope, value: this.hashOf(thread) },
      ];
    } catch (error) {
      if (isGone(error) && (await failures.isContainerGone(container))) return [];
      // The others are read all the same; this one keeps its cursor, and is read again by the next run.
      return [await failures.containerFailed(container, error)];
    }
  }
}

const conversation = (group: string, id: string): Container => {
  return { noun: 'conversation', id, path: path`/groups/${group}/threads/${id}`, headers: SINGLE };
};

const idOf = (entity: JsonObject) => textOf(entity['id']) ?? '';

async function postEvent(post: JsonObject, threadId: string): Promise<SourceEvent> {
  const mime = await mimeOfPost(post);
  const contents = [propertiesOf(post), { name: 'mime' as const, bytes: mime }];
  return { type: 'item', item: postItem(post, threadId, mime.length), contents };
}
