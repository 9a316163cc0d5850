import { EngineError } from '../../../model/engine-error.ts';
import type { Item } from '../../../model/items.ts';
import type { SourceContent } from '../../source.ts';
import { isNotOffered } from '../graph-error.ts';
import type { Reading } from '../reader.ts';
import { EXPORT_MAX, exportItem, exportItems, isForbidden, primaryMailboxOf } from './exchange-export.ts';
import { placeOf } from './mailbox-places.ts';

type ExportedItem = Pick<Item, 'id' | 'kind' | 'parentId' | 'name' | 'sizeBytes' | 'details'>;

/** Items of up to that size are exported together, as long as all of them come to no more than twice as much: they are buffered whole. */
const SMALL_BYTES = 2 ** 20;
const GROUP_BYTES = 2 * SMALL_BYTES;

/**
 * The server's own form of items, as far as the tenant gives it out: the first attempt shows whether it does, and the answer is remembered
 * while one mailbox is read. Small items are exported together, here and now; a large one when its bytes are read. A small item that
 * the server does not export is stored without this form: its properties and MIME contain it.
 */
export class ExchangeStream {
  private readonly reading: Reading;
  private readonly mode: 'all' | 'small';
  private mailboxId: Promise<string | null> | null = null;

  constructor(reading: Reading, mode: 'all' | 'small' = 'all') {
    this.reading = reading;
    this.mode = mode;
  }

  /** The same for items that could not be read before: of large ones the export is left out, since it may be what could not be had. */
  ofSmallItems(): ExchangeStream {
    const small = new ExchangeStream(this.reading, 'small');
    small.mailboxId = this.mailboxId;
    return small;
  }

  /** The content `export` of those items that have one, by id. @throws what concerns the whole object */
  async read(items: readonly ExportedItem[]): Promise<Map<string, SourceContent[]>> {
    const { small, large } = exportGroups(items);
    const contents = new Map<string, SourceContent[]>();
    const exported = await Promise.all(small.map((group) => this.exportGroup(group)));
    for (const [id, content] of exported.flat()) contents.set(id, content);
    const mailboxId = large.length > 0 && this.mode === 'all' ? await this.mailbox() : null;
    if (mailboxId !== null)
      for (const item of large) contents.set(item.id, [exportLater(this.reading, mailboxId, item)]);
    return contents;
  }

  private async exportGroup(group: readonly ExportedItem[]): Promise<[string, SourceContent[]][]> {
    const mailboxId = await this.mailbox();
    if (mailboxId === null) return [];
    const exported = await exportedTogether(this.reading, mailboxId, group);
    if (exported === 'not-offered') this.mailboxId = Promise.resolve(null);
    // One of them may have made the whole group fail: each is exported alone, and fails alone.
    if (exported === 'failed')
      return this.mode === 'small' ? [] : group.map((item) => [item.id, [exportLater(this.reading, mailboxId, item)]]);
    if (exported === 'not-offered') return [];
    return [...exported].flatMap(([id, bytes]) => (Buffer.isBuffer(bytes) ? [[id, [{ name: 'export', bytes }]]] : []));
  }

  private mailbox(): Promise<string | null> {
    this.mailboxId ??= this.find();
    return this.mailboxId;
  }

  private async find(): Promise<string | null> {
    const { connection, request, options } = this.reading;
    if (options.keepExchangeStream === false) return null;
    return primaryMailboxOf(connection, request.object.id, request.signal);
  }
}

/** Sorts items by how they are exported: in groups that are buffered, or each alone. */
export function exportGroups<T extends ExportedItem>(items: readonly T[]): { small: T[][]; large: T[] } {
  // Only the size of a message includes its attachments.
  const isSmall = ({ kind, sizeBytes, details }: T) =>
    kind === 'message' && sizeBytes > 0 ? sizeBytes <= SMALL_BYTES : details.hasAttachments !== true;
  const small: T[][] = [];
  let bytes = 0;
  for (const item of items.filter(isSmall)) {
    const group = small.at(-1);
    if (group === undefined || group.length >= EXPORT_MAX || bytes + item.sizeBytes > GROUP_BYTES) {
      small.push([item]);
      bytes = item.sizeBytes;
    } else {
      group.push(item);
      bytes += item.sizeBytes;
    }
  }
  return { small, large: items.filter((item) => !isSmall(item)) };
}

/** What small items are exported as; `failed` when there is no answer for all of them. @throws what is no word of the source */
export async function exportedTogether(
  { connection, request }: Reading,
  mailboxId: string,
  items: readonly ExportedItem[],
): Promise<Map<string, Buffer | EngineError> | 'not-offered' | 'failed'> {
  try {
    return await exportItems(
      connection,
      mailboxId,
      items.map(({ id }) => id),
      request.signal,
    );
  } catch (error) {
    request.signal.throwIfAborted();
    if (isNotOffered(error) || isForbidden(error)) return 'not-offered';
    if (error instanceof EngineError) return 'failed';
    throw error;
  }
}

/** The export of one item as a content that is read on demand. */
export function exportLater(
  { connection, request, failures }: Reading,
  mailboxId: string,
  item: ExportedItem,
  place = placeOf(request.object.id, item),
): SourceContent {
  const open = (signal: AbortSignal) => failures.bytes(exportItem(connection, mailboxId, item, signal), place);
  return { name: 'export', sizeBytes: null, open };
}
