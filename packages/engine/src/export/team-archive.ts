import type { ItemScope } from '../browse/item-scope.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemKind, ItemVersion } from '../model/items.ts';
import { messageOfId } from '../source/graph/team/message-item.ts';
import { ExportCount, type ExportParts, type ExportResult, readProperties, readWhole } from './export-parts.ts';
import { ARCHIVE_STYLE, page, type ShownMessage, shownMessage } from './team-pages.ts';
import { writeZip, type ZipFile } from './zip-file.ts';

const POSTS_A_PAGE = 250;
const ROWS = 1_000;

/**
 * The posts of a team, or of some of its channels, as a ZIP of pages that any browser shows without a network: channels, posts with
 * their replies, reactions and pictures. Nothing in it can run. It is also how posts come back to people where nobody may write in
 * somebody else's name.
 */
export async function exportTeamArchive(parts: ExportParts, scope: ItemScope, path: string): Promise<ExportResult> {
  if (scope.object.kind !== 'team')
    throw new EngineError(
      'bad-request',
      `An archive of posts holds a team; '${scope.object.name}' is a ${scope.object.kind}.`,
    );
  const count = await ExportCount.of(parts, scope);
  await writeZip(path, parts.signal, (zip) => new TeamArchive(parts, scope, zip, count).write());
  return count.result([path]);
}

class TeamArchive {
  private readonly parts: ExportParts;
  private readonly scope: ItemScope;
  private readonly zip: ZipFile;
  private readonly count: ExportCount;
  private images = 0;

  constructor(parts: ExportParts, scope: ItemScope, zip: ZipFile, count: ExportCount) {
    this.parts = parts;
    this.scope = scope;
    this.zip = zip;
    this.count = count;
  }

  async write(): Promise<void> {
    const { object, items } = this.scope;
    const links: { href: string; text: string }[] = [];
    let number = 0;
    for await (const channel of this.items(null, 'channel')) {
      if (items !== null && !items.includes(channel.id)) continue;
      number += 1;
      const files = await this.writeChannel(channel, `channel-${number}`);
      links.push(
        ...files.map((href, at) => ({ href, text: at === 0 ? channel.name : `${channel.name}, page ${at + 1}` })),
      );
    }
    await this.add('style.css', ARCHIVE_STYLE);
    await this.add('index.html', page(object.name, links, []));
  }

  /** @returns the files of its pages */
  private async writeChannel(channel: ItemVersion, stem: string): Promise<string[]> {
    const replies = await this.repliesOf(channel.id);
    const files: string[] = [];
    let shown: ShownMessage[] = [];
    const flush = async () => {
      const file = `${stem}${files.length === 0 ? '' : `-${files.length + 1}`}.html`;
      await this.add(
        file,
        page(`${this.scope.object.name}: ${channel.name}`, [{ href: 'index.html', text: 'All channels' }], shown),
      );
      files.push(file);
      shown = [];
    };
    for await (const post of this.items(channel.id, 'post')) {
      const number = messageOfId(post.id)?.id ?? '';
      const below = await Promise.all((replies.get(number) ?? []).map((id) => this.reply(id, channel)));
      const message = await this.shown(
        post,
        channel,
        below.filter((one) => one !== null),
      );
      if (message !== null) shown.push(message);
      if (shown.length >= POSTS_A_PAGE) await flush();
    }
    if (shown.length > 0 || files.length === 0) await flush();
    return files;
  }

  /** Ids of replies by the number of their post, in the order of time. */
  private async repliesOf(channelId: string): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for await (const { id } of this.items(channelId, 'reply')) {
      const post = messageOfId(id)?.postId ?? '';
      found.set(post, [...(found.get(post) ?? []), id]);
    }
    return found;
  }

  private async reply(id: string, channel: ItemVersion): Promise<ShownMessage | null> {
    const { object, revision } = this.scope;
    const item = await this.parts.catalog.item(object.key, revision, id);
    return item === null ? null : this.shown(item, channel, []);
  }

  private async shown(
    item: ItemVersion,
    channel: ItemVersion,
    replies: readonly ShownMessage[],
  ): Promise<ShownMessage | null> {
    try {
      const images = await this.writeImages(item);
      const message = shownMessage(item, await readProperties(this.parts, item), images, replies);
      this.count.done(item.sizeBytes);
      return message;
    } catch (error) {
      this.count.miss(item, [channel.name], error);
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

  /** In the order of time, whatever names they have. */
  private async *items(parentId: string | null, kind: ItemKind): AsyncGenerator<ItemVersion> {
    const { object, revision, showDeleted = false } = this.scope;
    const sort = kind === 'channel' ? ('name' as const) : ('date' as const);
    for (let after: string | null | undefined; after !== null; ) {
      const query = { object: object.key, revision, parentId, kinds: [kind], sort, limit: ROWS, showDeleted };
      const found: { rows: ItemVersion[]; next: string | null } = await this.parts.catalog.browse(
        after === undefined ? query : { ...query, after },
      );
      yield* found.rows;
      after = found.next;
    }
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
