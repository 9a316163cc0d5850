import { EngineError } from '../../../model/engine-error.ts';
import type { SiteTarget } from '../../site-target.ts';
import type { FoundItem, TargetContent } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { dateOf, type JsonObject, objectOf, textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { quoted, type SharePointSite } from '../sharepoint/sharepoint.ts';
import { itemMemory } from '../target/memory.ts';
import { partsOf } from './page-fields.ts';

const LISTS_QUERY =
  '$select=id,name,displayName,description,createdDateTime,webUrl,list,system&$expand=columns,contentTypes';

/** A site over Microsoft Graph as a place to write into. */
export class GraphSite implements SiteTarget {
  private readonly connection: GraphConnection;
  private readonly base: string;
  private readonly withinMemory = itemMemory();
  private opening: Promise<SharePointSite> | null = null;

  constructor(connection: GraphConnection, siteId: string) {
    this.connection = connection;
    this.base = path`/sites/${siteId}`;
  }

  site(signal: AbortSignal) {
    return this.connection.ask({ path: this.base, signal });
  }

  subsites(signal: AbortSignal) {
    return this.all(`${this.base}/sites`, signal);
  }

  columns(signal: AbortSignal) {
    return this.all(`${this.base}/columns`, signal);
  }

  contentTypes(signal: AbortSignal) {
    return this.all(`${this.base}/contentTypes`, signal);
  }

  lists(signal: AbortSignal) {
    return this.all(`${this.base}/lists?${LISTS_QUERY}`, signal);
  }

  async createList(body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const made = await this.connection.ask({ method: 'POST', path: `${this.base}/lists`, body, signal });
    const list = this.list(textOf(made['id']) ?? '');
    return this.connection.ask({ path: `${list}?$expand=columns,contentTypes`, signal });
  }

  createColumn(listId: string, body: JsonObject, signal: AbortSignal) {
    return this.connection.ask({ method: 'POST', path: `${this.list(listId)}/columns`, body, signal });
  }

  async updateColumn(listId: string, columnId: string, body: JsonObject, signal: AbortSignal): Promise<void> {
    const column = `${this.list(listId)}${path`/columns/${columnId}`}`;
    await this.connection.ask({ method: 'PATCH', path: column, body, signal });
  }

  createContentType(listId: string, body: JsonObject, signal: AbortSignal) {
    return this.connection.ask({ method: 'POST', path: `${this.list(listId)}/contentTypes`, body, signal });
  }

  async *rows(listId: string, signal: AbortSignal): AsyncGenerator<JsonObject> {
    const call = { path: `${this.list(listId)}/items?$expand=fields&$top=200`, signal };
    for await (const { value } of this.connection.pages(call)) yield* value;
  }

  async createRow(
    listId: string,
    fields: JsonObject,
    contentType: string | null,
    signal: AbortSignal,
  ): Promise<FoundItem> {
    const body = { fields, ...(contentType === null ? {} : { contentType: { id: contentType } }) };
    return found(await this.connection.ask({ method: 'POST', path: `${this.list(listId)}/items`, body, signal }));
  }

  async updateRow(listId: string, id: string, fields: JsonObject, signal: AbortSignal): Promise<void> {
    const row = `${this.list(listId)}${path`/items/${id}/fields`}`;
    await this.connection.ask({ method: 'PATCH', path: row, body: fields, signal });
  }

  deleteRow(listId: string, id: string, signal: AbortSignal): Promise<void> {
    return this.delete(`${this.list(listId)}${path`/items/${id}`}`, signal);
  }

  pages(signal: AbortSignal) {
    return this.all(`${this.base}/pages`, signal);
  }

  page(id: string, signal: AbortSignal) {
    return this.connection.ask({ path: `${this.sitePage(id)}?$expand=canvasLayout`, signal });
  }

  async createPage(page: JsonObject, signal: AbortSignal): Promise<FoundItem> {
    const body = { '@odata.type': '#microsoft.graph.sitePage', name: page['name'], ...partsOf(page) };
    const made = await this.connection.ask({ method: 'POST', path: `${this.base}/pages`, body, signal });
    const page$ = found(made);
    try {
      await this.publish(page$.id, page, signal);
    } catch (error) {
      // A half-written page is worse than none: it would look complete.
      await this.deletePage(page$.id, signal);
      throw error;
    }
    return page$;
  }

  async updatePage(id: string, page: JsonObject, signal: AbortSignal): Promise<void> {
    const body = { '@odata.type': '#microsoft.graph.sitePage', ...partsOf(page) };
    await this.connection.ask({ method: 'PATCH', path: this.sitePage(id), body, signal });
    await this.publish(id, page, signal);
  }

  deletePage(id: string, signal: AbortSignal): Promise<void> {
    return this.delete(`${this.base}${path`/pages/${id}`}`, signal);
  }

  get attaches(): boolean {
    return this.connection.sharePoint !== null;
  }

  async attachedTo(listId: string, id: string, signal: AbortSignal): Promise<string[]> {
    const files = await (await this.own(signal)).all(filesOf(listId, id), signal);
    return files.flatMap(({ FileName }) => textOf(FileName) ?? []);
  }

  /** Not sent a second time where its answer is lost: SharePoint would refuse the name that is there. */
  async attach(listId: string, id: string, name: string, file: TargetContent, signal: AbortSignal): Promise<void> {
    const site = await this.own(signal);
    await this.withinMemory({ contents: [file] }, async () => {
      const parts: Uint8Array[] = [];
      for await (const part of file.open()) parts.push(part);
      const call = `${filesOf(listId, id)}/addUsingPath(DecodedUrl=${quoted(name)})`;
      await site.send(call, Buffer.concat(parts), signal);
    });
  }

  /** @throws EngineError where no application has a certificate */
  private own(signal: AbortSignal): Promise<SharePointSite> {
    const { sharePoint } = this.connection;
    if (sharePoint === null)
      throw new EngineError('bad-request', 'SharePoint takes applications with a certificate alone.');
    this.opening ??= this.site(signal).then((site) => sharePoint.site(textOf(site['webUrl'])));
    return this.opening;
  }

  private async publish(id: string, page: JsonObject, signal: AbortSignal): Promise<void> {
    if (objectOf(page['publishingState'])['level'] !== 'published') return;
    await this.connection.ask({ method: 'POST', path: `${this.sitePage(id)}/publish`, isRepeatable: true, signal });
  }

  private async delete(at: string, signal: AbortSignal): Promise<void> {
    try {
      await this.connection.ask({ method: 'DELETE', path: at, signal });
    } catch (error) {
      if (!(error instanceof GraphError) || error.status !== 404) throw error;
    }
  }

  private async all(at: string, signal: AbortSignal): Promise<JsonObject[]> {
    const all: JsonObject[] = [];
    for await (const { value } of this.connection.pages({ path: at, signal })) all.push(...value);
    return all;
  }

  private list(listId: string): string {
    return `${this.base}${path`/lists/${listId}`}`;
  }

  private sitePage(id: string): string {
    return `${this.base}${path`/pages/${id}`}/microsoft.graph.sitePage`;
  }
}

const filesOf = (listId: string, id: string): string =>
  `web/lists(guid'${encodeURIComponent(listId)}')/items(${encodeURIComponent(id)})/AttachmentFiles`;

function found(entity: JsonObject): FoundItem {
  return { id: textOf(entity['id']) ?? '', modifiedAt: dateOf(entity['lastModifiedDateTime']) };
}
