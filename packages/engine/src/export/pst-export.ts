import { EarlierPartError, FileNotWrittenError, ItemNotWrittenError } from '@keepwatch/outlook-files/errors';
import type { OutlookItem } from '@keepwatch/outlook-files/outlook-item';
import { type PstFolder, PstWriter, type PstWriterOptions } from '@keepwatch/outlook-files/pst-writer';
import { FolderPaths } from '../browse/folder-paths.ts';
import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { type Located, locatedAhead } from '../catalog/located-ahead.ts';
import { EngineError } from '../model/engine-error.ts';
import { inOrder } from '../model/in-order.ts';
import { CONTAINER_KINDS, type ItemVersion, isSetting } from '../model/items.ts';
import { prefetched } from '../model/prefetched.ts';
import { ExportCount, type ExportParts, type ExportResult } from './export-parts.ts';
import { lossesOf, OUTLOOK_FOLDERS, outlookItemOf } from './outlook/outlook-item-of.ts';

/** Items that are read at a time, and how large they may be for it: 8 MiB in all. */
const READ_AT_ONCE = 8;
const AHEAD_BYTES_MAX = 1_048_576;
/** Items whose places are known before their turn comes: while some are read and written, the catalog looks up the next ones. */
const LOOKED_UP_AHEAD = 200;

export interface PstOptions {
  /** A further file is begun rather than exceeding this. */
  partSizeBytes?: number;
  /** Items alone in whose name, people or attachments' names this occurs. */
  keyword?: string;
}

/**
 * A mailbox, folders or items as PST, in as many parts as its size asks for; the files appear when all is written. What cannot be read is
 * in `missing`, and the rest is in the file.
 * @throws `bad-request` for an object that is no mailbox, and where parts of an earlier file are; `store-full` when the disk takes no more
 */
export async function exportPst(
  parts: ExportParts,
  scope: ItemScope,
  path: string,
  options: PstOptions = {},
): Promise<ExportResult> {
  if (scope.object.kind !== 'mailbox' && scope.object.kind !== 'archive')
    throw new EngineError(
      'bad-request',
      `A PST needs a mailbox; '${scope.object.name}' is a ${scope.object.kind}. Choose ZIP.`,
    );
  if (scope.object.kind === 'archive')
    throw new EngineError(
      'bad-request',
      `'${scope.object.name}' is an archive: Microsoft 365 gives out its items in the form its import takes alone, of which no PST can be made. A restore brings them back, also into a folder of the mailbox, where a backup of the mailbox can be exported as PST; a ZIP saves them in that form.`,
      { remedy: 'restore-into-folder' },
    );
  const count = await ExportCount.of(parts, scope);
  const deletedItemsName = await deletedItemsNameOf(parts, scope);
  const { partSizeBytes, keyword } = options;
  await using pst = await created(path, {
    displayName: scope.object.name,
    ...(deletedItemsName === null ? {} : { deletedItemsName }),
    ...(partSizeBytes === undefined ? {} : { partSizeBytes }),
  });
  const folders = new PstFolders(pst, scope.object.name);
  const isChosen = (item: ItemVersion) => keyword === undefined || mentions(item, keyword);
  const located = prefetched(locatedAhead(parts.catalog, versionsIn(parts.catalog, scope)), LOOKED_UP_AHEAD);
  for await (const { item, read } of inOrder(located, READ_AT_ONCE, (one) => readAhead(parts, one, isChosen))) {
    parts.signal.throwIfAborted();
    if (item.kind === 'settings') continue;
    if (isSetting(item.kind)) skipSetting(count, item);
    else if (CONTAINER_KINDS.has(item.kind)) folders.enter(item);
    else if (isChosen(item)) await add(pst, folders.of(item), item, read, count);
  }
  const files = await pst.finish();
  return count.result(files.map((file) => file.path));
}

/** Outlook has what a person has set up in the mailbox, and not in its files. */
function skipSetting(count: ExportCount, { id, name }: ItemVersion): void {
  const reason =
    'Settings, rules and categories are in no PST. A ZIP has them as JSON files, and so has an export as JSON.';
  count.add('without', { id, name, path: ['Mailbox settings'], reason });
}

async function created(path: string, options: PstWriterOptions): Promise<PstWriter> {
  try {
    return await PstWriter.create(path, options);
  } catch (error) {
    if (error instanceof EarlierPartError) throw new EngineError('bad-request', error.message, { cause: error });
    throw error;
  }
}

/** An item whose turn comes, and how to get at what is in it. */
interface ReadItem {
  item: ItemVersion;
  read: () => Promise<OutlookItem>;
}

/** Small items are read while those before them are written; large ones, one of which is in memory at a time, when their turn comes. */
async function readAhead(
  parts: ExportParts,
  { version: item, index }: Located,
  isChosen: (item: ItemVersion) => boolean,
): Promise<ReadItem> {
  const read = () => outlookItemOf({ ...parts, index }, item);
  const isRead = !CONTAINER_KINDS.has(item.kind) && !isSetting(item.kind) && isChosen(item);
  if (!isRead || item.sizeBytes > AHEAD_BYTES_MAX) return { item, read };
  const reading = read();
  // A failure is reported in its turn.
  await reading.catch(() => undefined);
  return { item, read: () => reading };
}

async function add(
  pst: PstWriter,
  folder: PstFolder,
  item: ItemVersion,
  read: () => Promise<OutlookItem>,
  count: ExportCount,
): Promise<void> {
  try {
    const outlookItem = await read();
    await pst.add(folder, outlookItem);
    const { id, name } = item;
    for (const reason of lossesOf(outlookItem)) count.add('changed', { id, name, path: folder.path, reason });
    count.done(item.sizeBytes);
  } catch (error) {
    if (error instanceof FileNotWrittenError)
      throw new EngineError('store-full', `The PST cannot be written on: ${error.message} Nothing of it was stored.`, {
        cause: error,
      });
    count.miss(item, folder.path, error instanceof ItemNotWrittenError ? itemError(error) : error);
  }
}

/** What the writer wraps: errors of the repository keep their own code, all else concerns the item. */
function itemError(error: ItemNotWrittenError): unknown {
  if (error.cause instanceof EngineError) return error.cause;
  return new EngineError('damaged', error.message, { cause: error });
}

/** A deleted folder under its own name would be a second one: Outlook's files have one from the start. */
async function deletedItemsNameOf({ catalog }: ExportParts, { object, revision }: ItemScope): Promise<string | null> {
  const query = {
    object: object.key,
    revision,
    parentId: null,
    kinds: ['mail-folder'],
    sort: 'name',
    limit: 1_000,
  } as const;
  const { rows } = await catalog.browse(query);
  return rows.find(({ details }) => details.role === 'deleteditems')?.name ?? null;
}

/** Folders as they are in the mailbox. Those of one place that share a name, as a calendar and a mail folder may, get numbers. */
class PstFolders {
  private readonly pst: PstWriter;
  private readonly top: string;
  private readonly names = new Map<string, number>();
  private readonly folders = new Map<string, PstFolder>();
  private readonly paths = new FolderPaths((folder, parent) => this.nameOf(folder, parent));

  /** @param top the folder of items that are exported without theirs */
  constructor(pst: PstWriter, top: string) {
    this.pst = pst;
    this.top = top;
  }

  enter(folder: ItemVersion): void {
    const path = this.paths.enter(folder);
    this.folders.set(folder.id, this.pst.folder(path, { kind: OUTLOOK_FOLDERS[folder.kind] ?? 'mail' }));
  }

  of(item: ItemVersion): PstFolder {
    return this.folders.get(item.parentId ?? '') ?? this.folderOfLoneItem(item);
  }

  private folderOfLoneItem(item: ItemVersion): PstFolder {
    const kind = LONE_ITEM_FOLDERS[item.kind] ?? 'mail';
    const key = `lone ${kind}`;
    const known = this.folders.get(key);
    if (known !== undefined) return known;
    const made = this.pst.folder([this.unique([], this.top)], { kind });
    this.folders.set(key, made);
    return made;
  }

  private nameOf(folder: ItemVersion, parent: readonly string[]): string {
    return this.unique(parent, folder.name === '' ? '_' : folder.name);
  }

  private unique(parent: readonly string[], name: string): string {
    const key = [...parent, name].join('\0').toLowerCase();
    const count = (this.names.get(key) ?? 0) + 1;
    this.names.set(key, count);
    return count === 1 ? name : this.unique(parent, `${name} (${count})`);
  }
}

const LONE_ITEM_FOLDERS: Partial<Record<ItemVersion['kind'], 'mail' | 'calendar' | 'contacts' | 'tasks'>> = {
  message: 'mail',
  event: 'calendar',
  contact: 'contacts',
  task: 'tasks',
};

function mentions({ name, details }: ItemVersion, keyword: string): boolean {
  const { from, to, cc, attachmentNames } = details;
  const texts = [name, from, ...(to ?? []), ...(cc ?? []), ...(attachmentNames ?? [])];
  return texts.some((text) => text?.toLowerCase().includes(keyword.toLowerCase()));
}
