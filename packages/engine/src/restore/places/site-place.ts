import type { ContainerPaths } from '../../browse/container-paths.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemVersion } from '../../model/items.ts';
import { dateOf, type JsonObject, objectOf, textOf } from '../../source/graph/json.ts';
import { pageText } from '../../source/graph/write-sites/page-fields.ts';
import { newColumn } from '../../source/graph/write-sites/row-fields.ts';
import type { SiteTarget } from '../../source/site-target.ts';
import type { Written } from '../../source/target.ts';
import type { FoundInPlace, RestoreItem, RestorePlace } from '../restore-place.ts';
import type { SkipReason } from '../skip-reasons.ts';
import { type PlacedList, SiteLists, type StoredSite } from './site-lists.ts';
import { SiteRows } from './site-rows.ts';

/** The parent of what is in no list. */
const TOP = 'site';
/** The parent of what the vendor alone writes: the list that numbers people. */
const VENDORS = 'vendor';

/**
 * A site as a place to restore into: lists with columns, content types and rows, and pages. Its libraries come with their columns; their files are
 * drives of their own. With `into` every list carries it behind its name.
 */
export class SitePlace implements RestorePlace {
  private readonly target: SiteTarget;
  private readonly paths: ContainerPaths;
  private readonly lists: SiteLists;
  private readonly rows: SiteRows;
  private readonly signal: AbortSignal;
  private readonly placed = new Map<string, PlacedList>();

  constructor(target: SiteTarget, paths: ContainerPaths, stored: StoredSite, into: string | null, signal: AbortSignal) {
    this.target = target;
    this.paths = paths;
    this.lists = new SiteLists(target, stored, into, signal);
    this.rows = new SiteRows(target, stored, this.lists, signal);
    this.signal = signal;
  }

  /** Persons and groups of a site have numbers of their own in each: to give a role to another of that number would open what was closed. */
  leavesOut({ kind }: ItemVersion): SkipReason | null {
    return kind === 'role-assignments' ? 'roles' : null;
  }

  async container(list: ItemVersion, make: boolean): Promise<string | null> {
    if (list.details.role === 'userInformation') return VENDORS;
    const placed = await this.lists.place(list, make);
    if (placed !== null) this.placed.set(placed.id, placed);
    return placed?.id ?? null;
  }

  async parentOf(item: ItemVersion, make: boolean): Promise<string | null> {
    const list = item.parentId === null ? null : await this.paths.container(item.parentId);
    return list === null ? TOP : this.container(list, make);
  }

  /** Columns and content types are made with their list: they have to be looked for, and rows need not. */
  isNew(): boolean {
    return false;
  }

  async find(parent: string, item: RestoreItem): Promise<FoundInPlace[]> {
    if (parent === VENDORS) return [{ id: item.version.id, modifiedAt: null, isUnchanged: true }];
    const list = this.placed.get(parent);
    if (list === undefined) return this.findAtTop(item);
    if (item.version.kind === 'list-item') return list.isNew ? [] : this.rows.find(list, item);
    const all = item.version.kind === 'list-column' ? list.columns : list.contentTypes;
    return sameNamed(all, item, parent);
  }

  identityOf({ version, properties }: RestoreItem): string {
    return `${version.kind} ${textOf(properties['name']) ?? version.name}`;
  }

  async create(parent: string, item: RestoreItem, as: 'itself' | 'copy'): Promise<Written> {
    const list = this.placed.get(parent);
    const { version, properties } = item;
    if (version.kind === 'list-item' && list !== undefined) return this.rows.create(list, item);
    if (version.kind === 'page') return this.createPage(item, as);
    if (version.kind === 'list-column' && list !== undefined) return this.createColumn(list, properties);
    throw new EngineError(
      'bad-request',
      `Microsoft Graph makes no ${NAMES[version.kind] ?? version.kind} ‘${version.name}’. Make it by hand, and restore what is in it then.`,
    );
  }

  async replace(found: FoundInPlace, parent: string, item: RestoreItem): Promise<Written> {
    const list = this.placed.get(parent);
    const { version, properties } = item;
    if (version.kind === 'list-item' && list !== undefined) return this.rows.replace(list, found.id, item);
    if (version.kind === 'page') {
      await this.target.updatePage(found.id, properties, this.signal);
      return { id: found.id, losses: [] };
    }
    throw new EngineError('bad-request', `A ${NAMES[version.kind] ?? version.kind} is not replaced.`);
  }

  async remove({ id }: FoundInPlace, parent: string, { version }: RestoreItem): Promise<void> {
    const list = this.placed.get(parent);
    if (version.kind === 'list-item' && list !== undefined) await this.rows.remove(list, id);
    if (version.kind === 'page') await this.target.deletePage(id, this.signal);
  }

  private async findAtTop(item: RestoreItem): Promise<FoundInPlace[]> {
    const { version } = item;
    if (version.kind === 'page') return this.findPages(item);
    if (version.kind === 'list-column') return sameNamed(await this.target.columns(this.signal), item, TOP);
    if (version.kind === 'content-type') return sameNamed(await this.target.contentTypes(this.signal), item, TOP);
    const isItself = version.details.role === 'root';
    const sites = isItself ? [await this.target.site(this.signal)] : await this.target.subsites(this.signal);
    return sites
      .filter((site) => isItself || site['displayName'] === version.name)
      .map((site) => ({ id: textOf(site['id']) ?? '', modifiedAt: null, isUnchanged: true }));
  }

  private async findPages({ properties }: RestoreItem): Promise<FoundInPlace[]> {
    const name = textOf(properties['name'])?.toLowerCase();
    const found: FoundInPlace[] = [];
    for (const page of await this.target.pages(this.signal)) {
      if (textOf(page['name'])?.toLowerCase() !== name) continue;
      const id = textOf(page['id']) ?? '';
      const isUnchanged = pageText(await this.target.page(id, this.signal)) === pageText(properties);
      found.push({ id, modifiedAt: dateOf(page['lastModifiedDateTime']), isUnchanged });
    }
    return found;
  }

  private async createPage({ properties }: RestoreItem, as: 'itself' | 'copy'): Promise<Written> {
    const name = textOf(properties['name']) ?? 'page.aspx';
    const used = new Set((await this.target.pages(this.signal)).map((page) => textOf(page['name'])?.toLowerCase()));
    const page = as === 'itself' ? properties : { ...properties, name: freeName(name, used) };
    const { id } = await this.target.createPage(page, this.signal);
    return { id, losses: ['who made and changed it, and when'] };
  }

  private async createColumn(list: PlacedList, column: JsonObject): Promise<Written> {
    const lookedUp = textOf(objectOf(column['lookup'])['listId']);
    const target = lookedUp === undefined ? null : await this.lists.targetId(lookedUp);
    const body = newColumn(column, () => target);
    if (body === null) throw new EngineError('bad-request', 'Microsoft Graph makes no columns of this type.');
    const made = await this.target.createColumn(list.id, body, this.signal);
    return { id: textOf(made['id']) ?? '', losses: [] };
  }
}

const NAMES: Readonly<Record<string, string>> = {
  subsite: 'site',
  'list-column': 'column',
  'content-type': 'content type',
};

/** Columns and content types go by their names, and are never written over: rows of today hang on them. */
function sameNamed(all: readonly JsonObject[], { properties }: RestoreItem, parent: string): FoundInPlace[] {
  const found = all.find(({ name }) => name === properties['name']);
  // Several lists may show one column.
  return found === undefined ? [] : [{ id: `${parent} ${found['id']}`, modifiedAt: null, isUnchanged: true }];
}

function freeName(name: string, used: ReadonlySet<string | undefined>): string {
  const stem = name.replace(/\.aspx$/i, '');
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? `${stem} (restored).aspx` : `${stem} (restored ${count}).aspx`;
    if (!used.has(free.toLowerCase())) return free;
  }
}
