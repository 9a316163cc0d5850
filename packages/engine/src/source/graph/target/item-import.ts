import { EngineError } from '../../../model/engine-error.ts';
import type { NewItem } from '../../target.ts';
import { dateOf, textOf } from '../json.ts';
import { mailboxIdsOf } from '../mailbox/exchange-export.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { bytesOf, type MailboxWriting } from './mailbox-writing.ts';

/** A session is renewed that long before it ends. */
const EARLY_MS = 60_000;

/** Import of the server's own form, where the tenant takes it. https://learn.microsoft.com/graph/api/mailbox-createimportsession */
export class ItemImport {
  private readonly writing: MailboxWriting;
  private mailboxId: Promise<string | null> | null = null;
  private session: { url: string; untilMs: number } | null = null;

  constructor(writing: MailboxWriting) {
    this.writing = writing;
  }

  /** @returns the new item's id; `null` where the item has no such form, or it is not taken */
  async create(folderId: string, item: NewItem, signal: AbortSignal): Promise<string | null> {
    const bytes = await bytesOf(item, 'export');
    if (bytes === null) return null;
    const { connection, user } = this.writing;
    this.mailboxId ??= mailboxIdsOf(connection, user, signal).then(({ primary }) => primary);
    const mailboxId = await this.mailboxId;
    if (mailboxId === null) return null;
    try {
      const url = await this.openSession(mailboxId, signal);
      const body = { FolderId: folderId, Mode: 'create', Data: bytes.toString('base64') };
      const reply = await connection.ask({ method: 'POST', path: url, body, signal });
      return textOf(reply['itemId']) ?? null;
    } catch (error) {
      if (error instanceof EngineError && ['source-refused', 'consent-missing', 'not-found'].includes(error.code))
        return null;
      throw error;
    }
  }

  private async openSession(mailboxId: string, signal: AbortSignal): Promise<string> {
    const { connection } = this.writing;
    if (this.session !== null && this.session.untilMs - EARLY_MS > connection.clock.now()) return this.session.url;
    const call = path`/admin/exchange/mailboxes/${mailboxId}/createImportSession`;
    const reply = await connection.ask({ method: 'POST', path: call, isRepeatable: true, signal });
    const url = textOf(reply['importUrl']);
    if (url === undefined)
      throw new EngineError('source-refused', 'Microsoft 365 opened an import without an address.');
    this.session = { url, untilMs: dateOf(reply['expirationDateTime'])?.getTime() ?? 0 };
    return url;
  }
}
