import type { RepositoryCatalog } from '../../catalog/catalog.ts';
import { type ExportParts, readProperties } from '../../export/export-parts.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemKind, ItemVersion } from '../../model/items.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../../source/graph/json.ts';
import { newColumn } from '../../source/graph/write-sites/row-fields.ts';
import type { SiteTarget } from '../../source/site-target.ts';

/** A list at the target. */
export interface PlacedList {
  id: string;
  isNew: boolean;
  columns: readonly JsonObject[];
  contentTypes: readonly JsonObject[];
}

export interface StoredSite {
  parts: ExportParts & { catalog: RepositoryCatalog };
  /** Key and revision of the site in the catalog. */
  object: string;
  revision: number;
}

/** Lists that every new site has. */
const OF_THE_SITE: ReadonlySet<string> = new Set(['userInformation', 'webPageLibrary']);

/**
 * How the lists that were stored map to those of the target: by id, by role where every site has one of it, else by name. One that is not there
 * is made with all its columns, since no row can be written before those.
 */
export class SiteLists {
  private readonly target: SiteTarget;
  private readonly stored: StoredSite;
  private readonly into: string | null;
  private readonly signal: AbortSignal;
  private readonly placed = new Map<string, Promise<PlacedList | null>>();
  private readonly byTarget = new Map<string, ItemVersion>();
  private there: Promise<JsonObject[]> | null = null;

  constructor(target: SiteTarget, stored: StoredSite, into: string | null, signal: AbortSignal) {
    this.target = target;
    this.stored = stored;
    this.into = into;
    this.signal = signal;
  }

  async place(list: ItemVersion, make: boolean): Promise<PlacedList | null> {
    const known = await this.placed.get(list.id);
    if (known) return known;
    const key = make ? `make ${list.id}` : list.id;
    const placing = this.placed.get(key) ?? this.find(list, make);
    this.placed.set(key, placing);
    const found = await placing;
    if (found !== null) {
      this.placed.set(list.id, placing);
      this.byTarget.set(found.id, list);
    }
    return found;
  }

  /** Columns or content types of a list, as they were. */
  async storedParts(listId: string, kind: ItemKind): Promise<JsonObject[]> {
    const { parts, object, revision } = this.stored;
    const found: JsonObject[] = [];
    let after: string | null = null;
    do {
      const page: { rows: ItemVersion[]; next: string | null } = await parts.catalog.browse({
        object,
        revision,
        parentId: listId,
        kinds: [kind],
        sort: 'name',
        limit: 200,
        ...(after === null ? {} : { after }),
      });
      for (const row of page.rows) found.push(await readProperties(parts, row));
      after = page.next;
    } while (after !== null);
    return found;
  }

  private async find(list: ItemVersion, make: boolean): Promise<PlacedList | null> {
    const name = this.into === null ? list.name : `${list.name} (${this.into})`;
    const { role } = list.details;
    const isOfTheSite = role !== undefined && OF_THE_SITE.has(role);
    const lists = await this.lists();
    const same =
      lists.find(({ id }) => id === list.id && (this.into === null || isOfTheSite)) ??
      lists.find((one) => (isOfTheSite ? templateOf(one) === role : textOf(one['displayName']) === name));
    if (same !== undefined) return placedList(same, false);
    if (isOfTheSite || !make) return null;
    return placedList(await this.create(list, name), true);
  }

  private async create(list: ItemVersion, displayName: string): Promise<JsonObject> {
    const { parts } = this.stored;
    const properties = await readProperties(parts, list);
    const facet = objectOf(properties['list']);
    const description = textOf(properties['description']);
    const made = await this.target.createList(
      {
        displayName,
        ...(description === undefined ? {} : { description }),
        list: { template: textOf(facet['template']) ?? 'genericList' },
        columns: await this.newColumns(list.id, objectsOf(properties['columns'])),
      },
      this.signal,
    );
    this.there = null;
    return this.withContentTypes(list.id, await this.withOwnLookups(list.id, made));
  }

  private async newColumns(listId: string, order: readonly JsonObject[]): Promise<JsonObject[]> {
    const names = order.map(({ name }) => name);
    const columns = (await this.storedParts(listId, 'list-column')).sort(
      (one, other) => names.indexOf(one['name']) - names.indexOf(other['name']),
    );
    const own = columns.filter((column) => column['isDeletable'] === true && column['hidden'] !== true);
    const targets = new Map<string, string>();
    for (const column of own) {
      const lookedUp = textOf(objectOf(column['lookup'])['listId']);
      if (lookedUp === undefined || lookedUp === listId) continue;
      const target = await this.targetId(lookedUp);
      if (target !== null) targets.set(lookedUp, target);
    }
    return own.map((column) => newColumn(column, (id) => targets.get(id) ?? null)).filter((column) => column !== null);
  }

  /** Columns that look up rows of their own list can be made when that is there. */
  private async withOwnLookups(listId: string, made: JsonObject): Promise<JsonObject> {
    const id = textOf(made['id']) ?? '';
    const columns: JsonObject[] = [...objectsOf(made['columns'])];
    for (const column of await this.storedParts(listId, 'list-column')) {
      const body = objectOf(column['lookup'])['listId'] === listId ? newColumn(column, () => id) : null;
      if (body !== null) columns.push(await this.target.createColumn(id, body, this.signal));
    }
    return { ...made, columns };
  }

  /** The id of a list at the target by that of the stored one; it is made where it is not there. */
  async targetId(listId: string): Promise<string | null> {
    const list = await this.listOf(listId);
    return list === null ? null : ((await this.place(list, true))?.id ?? null);
  }

  /** The list a lookup leads to, as it was. */
  listOf(listId: string): Promise<ItemVersion | null> {
    const { parts, object, revision } = this.stored;
    return parts.catalog.item(object, revision, listId);
  }

  private async withContentTypes(listId: string, made: JsonObject): Promise<JsonObject> {
    const there: JsonObject[] = objectsOf(made['contentTypes']);
    const names = new Set(there.map(({ name }) => name));
    for (const type of await this.storedParts(listId, 'content-type')) {
      if (names.has(type['name'])) continue;
      const { name, description } = type;
      const base = { id: baseOf(textOf(type['id']) ?? '') };
      there.push(
        await this.target.createContentType(textOf(made['id']) ?? '', { name, description, base }, this.signal),
      );
    }
    return { ...made, contentTypes: there };
  }

  /** The stored list that matches one of the target by now. */
  storedAt(targetId: string): ItemVersion | null {
    return this.byTarget.get(targetId) ?? null;
  }

  /** The list that numbers people, as it was. */
  async peopleList(): Promise<ItemVersion | null> {
    const { parts, object, revision } = this.stored;
    const query = { object, revision, parentId: null, kinds: ['list'], sort: 'name', limit: 1_000 } as const;
    const { rows } = await parts.catalog.browse(query);
    return rows.find(({ details }) => details.role === 'userInformation') ?? null;
  }

  private lists(): Promise<JsonObject[]> {
    this.there ??= this.target.lists(this.signal);
    return this.there;
  }
}

/** A content type of a list is one of the site with a GUID of 32 digits behind it. */
function baseOf(id: string): string {
  const base = /^(.+)00[0-9A-F]{32}$/i.exec(id)?.[1];
  if (base !== undefined) return base;
  throw new EngineError('bad-request', `The content type ${id} says nothing of what it is made from.`);
}

const templateOf = (list: JsonObject) => textOf(objectOf(list['list'])['template']);

function placedList(list: JsonObject, isNew: boolean): PlacedList {
  const [columns, contentTypes] = [objectsOf(list['columns']), objectsOf(list['contentTypes'])];
  return { id: textOf(list['id']) ?? '', isNew, columns, contentTypes };
}
