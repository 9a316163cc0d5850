import type { ReadRequest, SourceContent, SourceEvent } from '../../source.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import { quoted } from '../sharepoint/sharepoint.ts';
import type { ListToRead } from './lists.ts';
import { NotGiven, type OwnInterface } from './own-interface.ts';
import { rowOfId } from './site-item.ts';

/** Files that are attached to a row: what is stored of them with the row, and their bytes. */
export interface RowFiles {
  entities: JsonObject[];
  contents: SourceContent[];
}

/** The cursor that says that attachments of the site were read before. */
const READ = 'attachments';
/** Those that say of a list that attachments of its rows were not given out. */
const missingScope = (listId: string): string => `attachments/${listId}`;

/** Rows asked for their attachments at one time; they have no batch. */
const AT_ONCE = 4;

/**
 * Files attached to rows, which SharePoint's own interface alone gives out. Attaching a file changes the row, so that those of changed rows are read.
 * https://learn.microsoft.com/sharepoint/dev/sp-add-ins/working-with-lists-and-list-items-with-rest
 */
export class RowAttachments {
  private readonly site: OwnInterface;
  private readonly cursors: ReadonlyMap<string, string>;
  private readonly signal: AbortSignal;
  /** Why nothing more is asked for. */
  private refusal: Error | null = null;
  private isRead = false;
  /** Lists of which the attachments of a row were not read. */
  private readonly without = new Set<string>();

  constructor(site: OwnInterface, { cursors, signal }: Pick<ReadRequest, 'cursors' | 'signal'>) {
    this.site = site;
    this.cursors = cursors;
    this.signal = signal;
  }

  /** The lists whose rows have to be listed again, since attachments of theirs were not given out before, and are now. */
  async missingIn(lists: readonly ListToRead[]): Promise<ReadonlySet<string>> {
    const missing = lists.flatMap(({ id }) => (this.cursors.has(missingScope(id)) ? [id] : []));
    if (missing.length === 0) return new Set();
    try {
      await this.site.use((site) => site.ask('web?$select=Id', this.signal));
      return new Set(missing);
    } catch (error) {
      this.signal.throwIfAborted();
      this.refusal = error instanceof Error ? error : new Error(String(error));
      for (const id of missing) this.without.add(id);
      return new Set();
    }
  }

  /** By the id of the row its files, or why they could not be read. A row that is not in it has files that the application may not have. */
  async of(listId: string, rowIds: readonly string[]): Promise<Map<string, RowFiles | Error>> {
    const found = new Map<string, RowFiles | Error>();
    for (let at = 0; at < rowIds.length; at += AT_ONCE) {
      const some = rowIds.slice(at, at + AT_ONCE);
      const files = await Promise.all(some.map((id) => this.filesOf(listId, id)));
      for (const [index, id] of some.entries()) {
        const one = files[index];
        if (one === undefined || one === null) this.without.add(listId);
        else found.set(id, one);
      }
    }
    return found;
  }

  /** What is to be said at the end. */
  async *events(lists: readonly ListToRead[]): AsyncGenerator<SourceEvent> {
    const wasRead = this.cursors.has(READ);
    if (this.isRead && !wasRead) yield { type: 'cursor', scope: READ, value: 'read' };
    for (const { id } of lists) {
      const [scope, isMissing] = [missingScope(id), this.without.has(id)];
      if (isMissing !== this.cursors.has(scope)) yield { type: 'cursor', scope, value: isMissing ? 'missing' : null };
    }
    if (this.refusal === null) return;
    const names = lists.flatMap(({ id, name }) => (this.without.has(id) ? [`‘${name}’`] : [])).join(', ');
    yield await this.site.notRead(`the files attached to rows of ${names}`, 'Sites.Read.All', wasRead, this.refusal);
  }

  /** @returns `null` for files that the application may not have */
  private async filesOf(listId: string, rowId: string): Promise<RowFiles | Error | null> {
    if (this.refusal !== null) return null;
    const row = rowOfId(rowId)?.row ?? '';
    const path = `web/lists(guid'${encodeURIComponent(listId)}')/items(${encodeURIComponent(row)})/AttachmentFiles`;
    try {
      const entities = await this.site.use((site) => site.all(path, this.signal));
      this.isRead = true;
      return { entities: entities.map(described), contents: entities.flatMap((one) => this.contentOf(one)) };
    } catch (error) {
      this.signal.throwIfAborted();
      if (!(error instanceof NotGiven)) return error instanceof Error ? error : new Error(String(error));
      this.refusal = error;
      return null;
    }
  }

  private contentOf(file: JsonObject): SourceContent[] {
    const name = textOf(file['FileName']);
    const at = textOf(objectOf(file['ServerRelativePath'])['DecodedUrl']) ?? textOf(file['ServerRelativeUrl']);
    if (name === undefined || at === undefined) return [];
    const path = `web/GetFileByServerRelativePath(decodedUrl=${quoted(at)})/$value`;
    return [{ name: `attachments/${name}`, sizeBytes: null, open: (signal) => this.site.bytes(path, signal) }];
  }
}

/** As attachments of other items are described, so that they are found by name. */
const described = (file: JsonObject): JsonObject => ({ id: file['FileName'], name: file['FileName'], ...file });
