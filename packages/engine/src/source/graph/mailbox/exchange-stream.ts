import type { SourceContent } from '../../source.ts';
import { isNotOffered } from '../graph-error.ts';
import type { Reading } from '../reader.ts';
import { EXPORT_MAX, exportItems, isForbidden, mailboxIdsOf } from './exchange-export.ts';
import { groupsOf } from './read-items.ts';

/**
 * The server's own form of items, as far as the tenant gives it out: whether it does shows at the first try, and is remembered for
 * the reading of one mailbox. An item it does not export is kept without: its properties and MIME hold it.
 */
export class ExchangeStream {
  private readonly reading: Reading;
  private mailboxId: Promise<string | null> | null = null;

  constructor(reading: Reading) {
    this.reading = reading;
  }

  /** The content `export` of those items that have one, by id. */
  async read(ids: readonly string[]): Promise<Map<string, SourceContent[]>> {
    const contents = new Map<string, SourceContent[]>();
    for (const group of groupsOf(ids, EXPORT_MAX)) {
      for (const [id, bytes] of await this.export(group))
        if (Buffer.isBuffer(bytes)) contents.set(id, [{ name: 'export', bytes }]);
    }
    return contents;
  }

  private async export(ids: readonly string[]) {
    const { connection, request } = this.reading;
    this.mailboxId ??= this.find();
    const mailboxId = await this.mailboxId;
    if (mailboxId === null) return [];
    try {
      return await exportItems(connection, mailboxId, ids, request.signal);
    } catch (error) {
      if (!isNotOffered(error) && !isForbidden(error)) throw error;
      this.mailboxId = Promise.resolve(null);
      return [];
    }
  }

  private async find(): Promise<string | null> {
    const { connection, request, options } = this.reading;
    if (options.keepExchangeStream === false) return null;
    return (await mailboxIdsOf(connection, request.object.id, request.signal)).primary;
  }
}
