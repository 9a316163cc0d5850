import { childrenOf } from '../browse/children-of.ts';
import type { ItemScope } from '../browse/item-scope.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemKind, ItemVersion } from '../model/items.ts';
import { messageOfId } from '../source/graph/team/message-item.ts';
import { ExportCount, type ExportParts, type ExportResult, readProperties, readWhole } from './export-parts.ts';
import { type MadeEntry, madeEntry } from './made-zip.ts';
import { ARCHIVE_STYLE, page, type ShownMessage, shownMessage } from './message-pages.ts';
import { writeZip } from './zip-file.ts';

const POSTS_A_PAGE = 250;

/** What a person speaks in, and what is said there. */
const CONVERSATIONS = {
  team: { kind: 'channel', messages: 'post', all: 'All channels' },
  chats: { kind: 'chat', messages: 'chat-message', all: 'All chats' },
} as const;

type Conversations = (typeof CONVERSATIONS)[keyof typeof CONVERSATIONS];

/**
 * The posts of a team or the messages of a person's chats, of some of those channels or chats, or some of the messages, as a ZIP of pages that
 * any browser shows without a network: with replies, reactions and pictures. Nothing in it can run. It is also how they come back to people
 * where the restore may not write in another person's name.
 * @throws `bad-request` for an object without channels or chats, and for a choice of anything else
 */
export async function exportMessageArchive(parts: ExportParts, scope: ItemScope, path: string): Promise<ExportResult> {
  const count = await ExportCount.of(parts, scope);
  const entries = messageEntries(parts, scope, count);
  await writeZip(path, parts.signal, async (zip) => {
    for await (const { name, sizeBytes, open } of entries) await zip.addFile(name, null, sizeBytes, open);
  });
  return count.result([path]);
}

/** The files of such an archive, the same ones in the same order each time. @throws as `exportMessageArchive` */
export function messageEntries(parts: ExportParts, scope: ItemScope, count: ExportCount): AsyncGenerator<MadeEntry> {
  const { kind, name } = scope.object;
  if (kind !== 'team' && kind !== 'chats')
    throw new EngineError('bad-request', `An archive of messages needs a team or chats; '${name}' is a ${kind}.`);
  return new MessageArchive(parts, scope, CONVERSATIONS[kind], count).entries();
}

class MessageArchive {
  private readonly parts: ExportParts;
  private readonly scope: ItemScope;
  private readonly conversations: Conversations;
  private readonly count: ExportCount;
  private images = 0;

  constructor(parts: ExportParts, scope: ItemScope, conversations: Conversations, count: ExportCount) {
    this.parts = parts;
    this.scope = scope;
    this.conversations = conversations;
    this.count = count;
  }

  async *entries(): AsyncGenerator<MadeEntry> {
    const { object, items } = this.scope;
    const { kind } = this.conversations;
    const chosen = items === null ? null : await this.chosenIn(items);
    const links: { href: string; text: string }[] = [];
    let number = 0;
    for await (const conversation of this.children(null, kind, 'name')) {
      const some = chosen?.get(conversation.id);
      if (chosen !== null && some === undefined) continue;
      chosen?.delete(conversation.id);
      number += 1;
      const files = yield* this.conversation(conversation, `${kind}-${number}`, some ?? null);
      const textOf = (at: number) => (at === 0 ? conversation.name : `${conversation.name}, page ${at + 1}`);
      links.push(...files.map((href, at) => ({ href, text: textOf(at) })));
    }
    for (const [id] of chosen ?? [])
      throw new EngineError('bad-request', `${id} is no ${kind} of '${object.name}', nor a message in one.`);
    yield madeEntry('style.css', ARCHIVE_STYLE);
    yield madeEntry('index.html', page(object.name, links, []));
  }

  /** What was chosen by its conversation: messages of it, or (`null`) all of it. A reply means the post that it answers. */
  private async chosenIn(items: readonly string[]): Promise<Map<string, Set<string> | null>> {
    const chosen = new Map<string, Set<string> | null>();
    for (const id of items) {
      const said = messageOfId(id);
      if (said === null || !(await this.isStored(id))) {
        chosen.set(id, null);
        continue;
      }
      const some = chosen.get(said.conversationId);
      if (some === null) continue;
      chosen.set(said.conversationId, (some ?? new Set()).add(said.postId ?? said.id));
    }
    return chosen;
  }

  private async isStored(id: string): Promise<boolean> {
    const { object, revision, showDeleted = false } = this.scope;
    const { catalog } = this.parts;
    if ((await catalog.item(object.key, revision, id)) !== null) return true;
    return showDeleted && (await catalog.versionsOf(object.key, id)).length > 0;
  }

  /** @param some the numbers of those messages that were chosen @returns the names of its pages */
  private async *conversation(
    conversation: ItemVersion,
    stem: string,
    some: ReadonlySet<string> | null,
  ): AsyncGenerator<MadeEntry, string[]> {
    const { messages, all } = this.conversations;
    const replies = await this.repliesOf(conversation.id);
    const files: string[] = [];
    let shown: ShownMessage[] = [];
    const flush = () => {
      const file = `${stem}${files.length === 0 ? '' : `-${files.length + 1}`}.html`;
      const title = `${this.scope.object.name}: ${conversation.name}`;
      const entry = madeEntry(file, page(title, [{ href: 'index.html', text: all }], shown));
      files.push(file);
      shown = [];
      return entry;
    };
    for await (const message of this.children(conversation.id, messages, 'date')) {
      if (some?.has(messageOfId(message.id)?.id ?? '') === false) continue;
      const html = yield* this.withReplies(message, replies, conversation);
      if (html !== null) shown.push(html);
      if (shown.length >= POSTS_A_PAGE) yield flush();
    }
    if (shown.length > 0 || files.length === 0) yield flush();
    return files;
  }

  private async *withReplies(
    message: ItemVersion,
    replies: ReadonlyMap<string, readonly string[]>,
    conversation: ItemVersion,
  ): AsyncGenerator<MadeEntry, ShownMessage | null> {
    const { object, revision } = this.scope;
    const below: ShownMessage[] = [];
    for (const id of replies.get(messageOfId(message.id)?.id ?? '') ?? []) {
      const reply = await this.parts.catalog.item(object.key, revision, id);
      const shown = reply === null ? null : yield* this.shown(reply, conversation, []);
      if (shown !== null) below.push(shown);
    }
    return yield* this.shown(message, conversation, below);
  }

  /** Ids of replies by the number of their post, in the order of time. */
  private async repliesOf(conversationId: string): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for await (const { id } of this.children(conversationId, 'reply', 'date')) {
      const post = messageOfId(id)?.postId ?? '';
      const known = found.get(post);
      if (known === undefined) found.set(post, [id]);
      else known.push(id);
    }
    return found;
  }

  /** A message as a page shows it, after its pictures; `null` for one that cannot be read. */
  private async *shown(
    item: ItemVersion,
    conversation: ItemVersion,
    replies: readonly ShownMessage[],
  ): AsyncGenerator<MadeEntry, ShownMessage | null> {
    try {
      const images = yield* this.imagesOf(item);
      const message = shownMessage(item, await readProperties(this.parts, item), images, replies);
      this.count.done(item.sizeBytes);
      return message;
    } catch (error) {
      this.count.miss(item, [conversation.name], error);
      return null;
    }
  }

  /** Pictures that a message carries. @returns their names in the archive by their ids */
  private async *imagesOf(item: ItemVersion): AsyncGenerator<MadeEntry, Map<string, string>> {
    const names = new Map<string, string>();
    for (const content of item.contents.filter(({ name }) => name.startsWith('hosted/'))) {
      const bytes = await readWhole(this.parts, content);
      this.images += 1;
      const name = `images/${this.images}.${imageKindOf(bytes)}`;
      yield madeEntry(name, bytes);
      names.set(content.name.slice('hosted/'.length), name);
    }
    return names;
  }

  private children(parentId: string | null, kind: ItemKind, sort: 'name' | 'date'): AsyncGenerator<ItemVersion> {
    return childrenOf(this.parts.catalog, this.scope, parentId, [kind], sort);
  }
}

/** By their first bytes: what a picture calls itself is not asked. */
function imageKindOf(bytes: Buffer): string {
  const start = bytes.subarray(0, 12).toString('latin1');
  if (start.startsWith('\x89PNG')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (start.startsWith('GIF8')) return 'gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'webp' : 'bin';
}
