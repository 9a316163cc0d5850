import { FolderPaths } from '../browse/folder-paths.ts';
import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { notBackedUp } from '../browse/not-backed-up.ts';
import { locatedAhead } from '../catalog/located-ahead.ts';
import { EngineError } from '../model/engine-error.ts';
import { CONTAINER_KINDS, type ItemVersion, type StoredContent } from '../model/items.ts';
import type { ObjectKind } from '../model/protected-object.ts';
import { contentOf, ExportCount, type ExportParts, type MissingItem, missingOf, readContent } from './export-parts.ts';
import { listEntries } from './list-export.ts';
import type { MadeEntries } from './made-zip.ts';
import { messageEntries } from './message-archive.ts';
import { planEntries } from './plan-export.ts';
import { ZipNames } from './safe-name.ts';
import { type StreamedEntry, ZipLength, zipStream } from './zip-stream.ts';

/** A ZIP that can be sent at once: its length is known before its first byte. */
export interface ZipDownload {
  sizeBytes: number;
  items: number;
  /** The same for the same bytes, and for no others: a client that goes on with what it has compares it (RFC 9110, section 13.1.5). */
  etag: string;
  /** How many items are not in it, and why of the first thousand: known before it begins. */
  withoutCount: number;
  without: readonly MissingItem[];
  renamed: number;
  /**
   * The bytes; the same ones each time, so that a download that broke off goes on.
   * @param from how many bytes are there already: they are read again, as the checksums need them, and not given
   * @throws `damaged` and the like, with the item's name: then the bytes end before their length; `not-found` where items have gone since
   */
  open(from?: number): AsyncIterable<Buffer>;
}

/** Of what is not in a ZIP so many are named. */
const WITHOUT_MAX = 1_000;
/** Names within an archive have a length of 16 bits. */
const NAME_BYTES_MAX = 65_000;

/** What is a file of its own in such a ZIP, by kind of object, and its ending. Of others bytes are made, and their length is not known before. */
const CONTENTS: Partial<Record<ObjectKind, (item: ItemVersion) => { content: StoredContent | null; ending: string }>> =
  {
    drive: (item) => ({ content: contentOf(item, 'file'), ending: '' }),
    archive: (item) => ({ content: contentOf(item, 'export'), ending: '.fts' }),
    mailbox: (item) => ({ content: contentOf(item, 'mime'), ending: '.eml' }),
  };

/** Objects of which pages or tables are made. */
const MADE: Partial<Record<ObjectKind, MadeEntries>> = {
  site: listEntries,
  team: messageEntries,
  chats: messageEntries,
  planner: planEntries,
};

/**
 * Prepares a ZIP of files, of messages as EML, of an archive's items, of a site's lists, of plans, or of pages of a team or chats. It is not compressed.
 * What it takes to know the length: of files and messages the catalog alone, of the others all of it is made once, and dropped.
 * @throws `bad-request` for items that are nothing of that
 */
export async function zipDownload(parts: ExportParts, scope: ItemScope): Promise<ZipDownload> {
  const made = MADE[scope.object.kind];
  return made === undefined ? downloadOfStored(parts, scope) : downloadOfMade(parts, scope, made);
}

/** Nothing of it is on a disk or waits in memory: it is made once for its length, and again each time it is read. */
async function downloadOfMade(parts: ExportParts, scope: ItemScope, entries: MadeEntries): Promise<ZipDownload> {
  const count = await ExportCount.of(parts, scope);
  const length = new ZipLength();
  const sizes: number[] = [];
  for await (const { name, modifiedAt = null, sizeBytes, open } of entries(parts, scope, count)) {
    sizes.push(sizeBytes ?? (await bytesIn(open())));
    length.add({ name, modifiedAt, sizeBytes: sizes.at(-1) ?? 0 });
  }
  const again = async function* (): AsyncGenerator<StreamedEntry> {
    let at = 0;
    for await (const { name, modifiedAt = null, open } of entries(parts, scope, await ExportCount.of(parts, scope))) {
      yield { name, modifiedAt, sizeBytes: sizes[at] ?? 0, open };
      at += 1;
    }
  };
  const { items, renamed, missing, without } = count;
  const { sizeBytes, digest } = length;
  const open = (from = 0) => behind(zipStream(again(), digest), from);
  const left = [...missing, ...without];
  return {
    ...{ sizeBytes, items, renamed, etag: digest, open },
    ...{ withoutCount: left.length, without: left.slice(0, WITHOUT_MAX) },
  };
}

async function bytesIn(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const { length } of pieces) bytes += length;
  return bytes;
}

async function downloadOfStored(parts: ExportParts, scope: ItemScope): Promise<ZipDownload> {
  const length = new ZipLength();
  const lacking = (await notBackedUp(parts.catalog, scope)).map(missingOf);
  const found: Found = { renamed: 0, withoutCount: lacking.length, without: lacking.slice(0, WITHOUT_MAX) };
  let items = 0;
  for await (const entry of entriesOf(parts, scope, found)) {
    length.add(entry);
    if (entry.sizeBytes !== null) items += 1;
  }
  const { sizeBytes, digest } = length;
  const again = () => entriesOf(parts, scope, { renamed: 0, withoutCount: 0, without: [] });
  const open = (from = 0) => behind(zipStream(again(), digest), from);
  return { sizeBytes, items, ...found, etag: digest, open };
}

interface Found {
  renamed: number;
  withoutCount: number;
  without: MissingItem[];
}

async function* entriesOf(parts: ExportParts, scope: ItemScope, found: Found): AsyncGenerator<StreamedEntry> {
  const names = new ZipNames(found);
  const paths = new FolderPaths((item, parent) => names.reserve(parent, item.name));
  for await (const { version: item, index } of locatedAhead(parts.catalog, versionsIn(parts.catalog, scope))) {
    parts.signal.throwIfAborted();
    const folder = paths.parentOf(item);
    const skip = (reason: string) => {
      found.withoutCount += 1;
      if (found.without.length < WITHOUT_MAX)
        found.without.push({ id: item.id, name: item.name, path: folder, reason });
    };
    const entry = entryOf({ ...parts, index }, scope.object.kind, item, folder, names, paths);
    if (typeof entry === 'string') skip(entry);
    else if (Buffer.byteLength(entry.name) > NAME_BYTES_MAX) skip('Its path is too long for an archive.');
    else yield entry;
  }
}

/** A text says why it is not in the ZIP. */
function entryOf(
  parts: ExportParts,
  kind: ObjectKind,
  item: ItemVersion,
  folder: readonly string[],
  names: ZipNames,
  paths: FolderPaths,
): StreamedEntry | string {
  const { modifiedAt, details } = item;
  if (CONTAINER_KINDS.has(item.kind))
    return { name: `${paths.enter(item).join('/')}/`, modifiedAt, sizeBytes: null, open: nothing };
  const { content = null, ending = '' } = CONTENTS[kind]?.(item) ?? {};
  if (content === null) return details.without ?? `It is a ${item.kind} without bytes of its own; export it to a file.`;
  const isNamed = item.name !== '' && ending === '';
  const name = names.reserve(folder, isNamed ? item.name : `${item.name === '' ? item.kind : item.name}${ending}`);
  const open = () => named(readContent(parts, content), item.name);
  const version = `${item.id} ${item.firstRevision}`;
  return { name: [...folder, name].join('/'), modifiedAt, sizeBytes: content.sizeBytes, version, open };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** A failure says which item it is of: it ends the whole download. */
async function* named(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `'${name}' cannot be read: ${error.message}`, { cause: error });
  }
}

async function* behind(bytes: AsyncIterable<Buffer>, from: number): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const piece of bytes) {
    const skipped = Math.min(Math.max(from - at, 0), piece.length);
    at += piece.length;
    if (skipped < piece.length) yield skipped === 0 ? piece : piece.subarray(skipped);
  }
}
