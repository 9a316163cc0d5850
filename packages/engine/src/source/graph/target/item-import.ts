import { EngineError, type EngineErrorCode } from '../../../model/engine-error.ts';
import type { NewItem } from '../../target.ts';
import { GraphError } from '../graph-error.ts';
import { dateOf, type JsonObject, textOf } from '../json.ts';
import { archiveOf, primaryMailboxOf } from '../mailbox/exchange-export.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { bytesOf, type MailboxWriting, type Place } from './mailbox-writing.ts';

/** A session is renewed that long before it ends. */
const EARLY_MS = 60_000;

/** Every request to Graph may have that much; https://learn.microsoft.com/graph/outlook-large-attachments */
const ALWAYS_ACCEPTED_BYTES = 3 * 2 ** 20;

const REFUSALS: readonly EngineErrorCode[] = ['source-refused', 'consent-missing', 'not-found'];

/** Where an import goes: a new item, or in place of one. */
export type ImportPlace = { FolderId: string; Mode: 'create' } | { FolderId: string; Mode: 'update'; ItemId: string };

/** Import of the server's own form into one mailbox of a person. https://learn.microsoft.com/graph/api/mailbox-createimportsession */
export class ItemImport {
  private readonly writing: MailboxWriting;
  private readonly which: 'primary' | 'archive';
  private found: Promise<string | null> | null = null;
  private tooLargeBytes = Number.POSITIVE_INFINITY;
  /** Sizes of items at which a connection was closed. */
  private readonly brokenBytes = new Set<number>();
  private session: { url: string; untilMs: number } | null = null;

  constructor(writing: MailboxWriting, which: 'primary' | 'archive' = 'primary') {
    this.writing = writing;
    this.which = which;
  }

  /** What the tenant calls the mailbox; `null` where it does not say so, or there is none. */
  mailboxId(signal: AbortSignal): Promise<string | null> {
    const { connection, user } = this.writing;
    this.found ??= (this.which === 'archive' ? archiveOf : primaryMailboxOf)(connection, user, signal);
    return this.found;
  }

  /** Whether an item has the server's own form, and the mailbox accepts it. */
  async accepts(item: NewItem, signal: AbortSignal): Promise<boolean> {
    const bytes = sizeOf(item);
    return bytes !== null && bytes < this.tooLargeBytes && (await this.mailboxId(signal)) !== null;
  }

  /** Whether an item came by an import whenever it was restored here: a large one may have gone another way. */
  async alwaysAccepts(item: NewItem, signal: AbortSignal): Promise<boolean> {
    return (sizeOf(item) ?? 0) <= ALWAYS_ACCEPTED_BYTES && (await this.accepts(item, signal));
  }

  /** @returns the new item's id; `null` where the item has no such form, or it is not accepted */
  create(folderId: string, item: NewItem, signal: AbortSignal): Promise<string | null> {
    return this.writeIfAccepted({ FolderId: folderId, Mode: 'create' }, item, signal);
  }

  /** Makes an item that exists what was stored. @returns as above */
  replace({ folderId, id }: Place & { id: string }, item: NewItem, signal: AbortSignal): Promise<string | null> {
    return this.writeIfAccepted({ FolderId: folderId, Mode: 'update', ItemId: id }, item, signal);
  }

  private async writeIfAccepted(place: ImportPlace, item: NewItem, signal: AbortSignal): Promise<string | null> {
    if (!(await this.accepts(item, signal))) return null;
    try {
      return await this.write(place, item, signal);
    } catch (error) {
      this.learnSize(sizeOf(item) ?? 0, error);
      if (error instanceof EngineError && REFUSALS.includes(error.code)) return null;
      throw error;
    }
  }

  /**
   * Microsoft documents no size limit of an import. A server that does not accept a large item says so or closes the connection: that size and
   * all larger ones then go another way at once. One closed connection alone may be an accident.
   */
  private learnSize(bytes: number, error: unknown): void {
    const isRefused = error instanceof GraphError && error.status === 413;
    const isBroken =
      error instanceof EngineError && error.code === 'source-unreachable' && bytes > ALWAYS_ACCEPTED_BYTES;
    if (isRefused || (isBroken && this.brokenBytes.has(bytes)))
      this.tooLargeBytes = Math.min(bytes, this.tooLargeBytes);
    else if (isBroken) this.brokenBytes.add(bytes);
  }

  /** @returns the item's id @throws GraphError for a refusal; EngineError `damaged` for an item that has no such form */
  async write(place: ImportPlace, item: NewItem, signal: AbortSignal): Promise<string> {
    const bytes = await bytesOf(item, 'export');
    if (bytes === null) throw new EngineError('damaged', 'It was stored without the form that an import takes.');
    const url = await this.openSession(signal);
    const body = { ...place, Data: bytes.toString('base64') };
    const reply: JsonObject = await this.writing.connection.ask({ method: 'POST', path: url, body, signal });
    const id = textOf(reply['itemId']);
    if (id !== undefined) return id;
    throw new EngineError('source-refused', 'Microsoft 365 imported an item without saying which. Look for it there.');
  }

  private async openSession(signal: AbortSignal): Promise<string> {
    const { connection } = this.writing;
    if (this.session !== null && this.session.untilMs - EARLY_MS > connection.clock.now()) return this.session.url;
    const mailboxId = (await this.mailboxId(signal)) ?? '';
    const call = path`/admin/exchange/mailboxes/${mailboxId}/createImportSession`;
    const reply = await connection.ask({ method: 'POST', path: call, isRepeatable: true, signal });
    const url = textOf(reply['importUrl']);
    if (url === undefined)
      throw new EngineError('source-refused', 'Microsoft 365 opened an import without an address.');
    this.session = { url, untilMs: dateOf(reply['expirationDateTime'])?.getTime() ?? 0 };
    return url;
  }
}

/** Of the server's own form; `null` for an item that has none. */
const sizeOf = ({ contents }: NewItem): number | null =>
  contents.find(({ name }) => name === 'export')?.sizeBytes ?? null;
