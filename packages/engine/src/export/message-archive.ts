import { childrenOf } from '../browse/children-of.ts';
import type { ItemScope } from '../browse/item-scope.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemKind, ItemVersion } from '../model/items.ts';
import { messageOfId } from '../source/graph/team/message-item.ts';
import { ExportCount, type ExportParts, type ExportResult, readProperties, readWhole } from './export-parts.ts';
import { ARCHIVE_STYLE, page, type ShownMessage, shownMessage } from './message-pages.ts';
import { writeZip, type ZipFile } from './zip-file.ts';

const POSTS_A_PAGE = 250;

/** What a person speaks in, and what is said there. */
const CONVERSATIONS = {
  team: { kind: 'channel', messages: 'post', all: 'All channels' },
  chats: { kind: 'chat', messages: 'chat-message', all: 'All chats' },
} as const;

type Conversations = (typeof CONVERSATIONS)[keyof typeof CONVERSATIONS];

/**
 * The posts of a team or the messages of a person's chats, or of some of those channels or chats, as a ZIP of pages that any browser
 * shows without a network: with replies, reactions and pictures. Nothing in it can run. It is also how they come back to people
 * where the restore may not write in another person's name.
 * @throws `bad-request` for an object without channels or chats, and for a choice of anything else
 */
export async function exportMessageArchive(parts: ExportParts, scope: ItemScope, path: string): Promise<ExportResult> {
  const { kind, name } = scope.object;
  if (kind !== 'team' && kind !== 'chats')
    throw new EngineError('bad-request', `An archive of messages needs a team or chats; '${name}' is a ${kind}.`);
  const count = await ExportCount.of(parts, scope);
  const archive = (zip: ZipFile) => new MessageArchive(parts, scope, CONVERSATIONS[kind], zip, count);
  await writeZip(path, parts.signal, (zip) => archive(zip).write());
  return count.result([path]);
}

class MessageArchive {
  private readonly parts: ExportParts;
  private readonly scope: ItemScope;
  private readonly conversations: Conversations;
  private readonly zip: ZipFile;
  private readonly count: ExportCount;
  private images = 0;

  constructor(parts: ExportParts, scope: ItemScope, conversations: Conversations, zip: ZipFile, count: ExportCount) {
    this.parts = parts;
    this.scope = scope;
    this.conversations = conversations;
    this.zip = zip;
    this.count = count;
  }

  async write(): Promise<void> {
    const { object, items } = this.scope;
    const { kind } = this.conversations;
    const chosen = items === null ? null : new Set(items);
    const links: { href: string; text: string }[] = [];
    let number = 0;
    for await (const conversation of this.children(null, kind, 'name')) {
      if (chosen?.delete(conversation.id) === false) continue;
      number += 1;
      const files = await this.writeConversation(conversation, `${kind}-${number}`);
      const textOf = (at: number) => (at === 0 ? conversation.name : `${conversation.name}, page ${at + 1}`);
      links.push(...files.map((href, at) => ({ href, text: textOf(at) })));
    }
    for (const id of chosen ?? [])
      throw new EngineError('bad-request', `${id} is no ${kind} of '${object.name}': an archive contains whole ones.`);
    await this.add('style.css', ARCHIVE_STYLE);
    await this.add('index.html', page(object.name, links, []));
  }

  /** @returns the files of its pages */
  private async writeConversation(conversation: ItemVersion, stem: string): Promise<string[]> {
    const { messages, all } = this.conversations;
    const replies = await this.repliesOf(conversation.id);
    const files: string[] = [];
    let shown: ShownMessage[] = [];
    const flush = async () => {
      const file = `${stem}${files.length === 0 ? '' : `-${files.length + 1}`}.html`;
      const title = `${this.scope.object.name}: ${conversation.name}`;
      await this.add(file, page(title, [{ href: 'index.html', text: all }], shown));
      files.push(file);
      shown = [];
    };
    for await (const message of this.children(conversation.id, messages, 'date')) {
      const number = messageOfId(message.id)?.id ?? '';
      const below = await Promise.all((replies.get(number) ?? []).map((id) => this.reply(id, conversation)));
      const there = below.filter((one) => one !== null);
      const html = await this.shown(message, conversation, there);
      if (html !== null) shown.push(html);
      if (shown.length >= POSTS_A_PAGE) await flush();
    }
    if (shown.length > 0 || files.length === 0) await flush();
    return files;
  }

  /** Ids of replies by the number of their post, in the order of time. */
  private async repliesOf(conversationId: string): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for await (const { id } of this.children(conversationId, 'reply', 'date')) {
      const post = messageOfId(id)?.postId ?? '';
      found.set(post, [...(found.get(post) ?? []), id]);
    }
    return found;
  }

  private async reply(id: string, conversation: ItemVersion): Promise<ShownMessage | null> {
    const { object, revision } = this.scope;
    const item = await this.parts.catalog.item(object.key, revision, id);
    return item === null ? null : this.shown(item, conversation, []);
  }

  private async shown(
    item: ItemVersion,
    conversation: ItemVersion,
    replies: readonly ShownMessage[],
  ): Promise<ShownMessage | null> {
    try {
      const images = await this.writeImages(item);
      const message = shownMessage(item, await readProperties(this.parts, item), images, replies);
      this.count.done(item.sizeBytes);
      return message;
    } catch (error) {
      this.count.miss(item, [conversation.name], error);
      return null;
    }
  }

  /** Pictures that a message carries, by their ids: paths in the archive. */
  private async writeImages(item: ItemVersion): Promise<Map<string, string>> {
    const paths = new Map<string, string>();
    for (const content of item.contents.filter(({ name }) => name.startsWith('hosted/'))) {
      const bytes = await readWhole(this.parts, content);
      this.images += 1;
      const path = `images/${this.images}.${imageKindOf(bytes)}`;
      await this.add(path, bytes);
      paths.set(content.name.slice('hosted/'.length), path);
    }
    return paths;
  }

  private children(parentId: string | null, kind: ItemKind, sort: 'name' | 'date'): AsyncGenerator<ItemVersion> {
    return childrenOf(this.parts.catalog, this.scope, parentId, [kind], sort);
  }

  private add(name: string, content: string | Buffer): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    async function* whole() {
      yield bytes;
    }
    return this.zip.addFile(name, null, bytes.length, whole);
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
