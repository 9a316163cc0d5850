import type { JsonObject } from '../../source/graph/json.ts';
import type { SiteTarget } from '../../source/site-target.ts';
import type { FoundItem } from '../../source/target.ts';

const COLUMNS = [
  { name: 'Title', displayName: 'Title', text: {} },
  { name: 'Quantity', displayName: 'Quantity', number: {} },
];

/** A site in memory with one list of two columns, and pages. What a restore of rows and pages does not ask for is refused. */
export class MemorySite implements SiteTarget {
  readonly list: JsonObject = { id: 'list-1', displayName: 'Inventory', columns: COLUMNS, contentTypes: [] };
  readonly allRows = new Map<string, JsonObject>();
  readonly allPages = new Map<string, JsonObject>();
  readonly site = async (): Promise<JsonObject> => ({ id: 'site' });
  readonly subsites = async (): Promise<JsonObject[]> => [];
  readonly columns = async (): Promise<JsonObject[]> => [];
  readonly contentTypes = async (): Promise<JsonObject[]> => [];
  readonly createList = refused;
  readonly createColumn = refused;
  readonly updateColumn = refused;
  readonly createContentType = refused;
  readonly attaches = false;
  readonly attachedTo = async (): Promise<string[]> => [];
  readonly attach = refused;
  private ids = 100;

  async lists(): Promise<JsonObject[]> {
    return [this.list];
  }

  async *rows(): AsyncGenerator<JsonObject> {
    yield* this.allRows.values();
  }

  async createRow(_listId: string, fields: JsonObject): Promise<FoundItem> {
    const id = this.nextId();
    this.allRows.set(id, { id, fields });
    return { id, modifiedAt: null };
  }

  async updateRow(_listId: string, id: string, fields: JsonObject): Promise<void> {
    this.allRows.set(id, { id, fields });
  }

  async deleteRow(_listId: string, id: string): Promise<void> {
    this.allRows.delete(id);
  }

  async pages(): Promise<JsonObject[]> {
    return [...this.allPages.values()];
  }

  async page(id: string): Promise<JsonObject> {
    return this.allPages.get(id) ?? {};
  }

  async createPage(page: JsonObject): Promise<FoundItem> {
    const id = this.nextId();
    this.allPages.set(id, { ...page, id });
    return { id, modifiedAt: null };
  }

  async updatePage(id: string, page: JsonObject): Promise<void> {
    this.allPages.set(id, { ...page, id });
  }

  async deletePage(id: string): Promise<void> {
    this.allPages.delete(id);
  }

  private nextId(): string {
    this.ids += 1;
    return String(this.ids);
  }
}

async function refused(): Promise<never> {
  throw new Error('No test asks this site for that.');
}
