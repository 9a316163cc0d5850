import { createHash } from 'node:crypto';
import { readProperties } from '../../export/export-parts.ts';
import type { ItemVersion } from '../../model/items.ts';
import { dateOf, isObject, type JsonObject, objectOf, textOf } from '../../source/graph/json.ts';
import { rowId, rowOfId } from '../../source/graph/site/site-item.ts';
import { writableFields, writtenText } from '../../source/graph/write-sites/row-fields.ts';
import type { SiteTarget } from '../../source/site-target.ts';
import type { Written } from '../../source/target.ts';
import { readRestoreItem } from '../read-restore-item.ts';
import type { FoundInPlace, RestoreItem } from '../restore-place.ts';
import { RowFiles } from './row-files.ts';
import type { PlacedList, SiteLists, StoredSite } from './site-lists.ts';

/** What is remembered of a row that is there: lists may hold 30 million. */
interface RowThere {
  title: string;
  text: string;
  modifiedAt: Date | null;
  hasAttachments: boolean;
  /** Whether it was stored itself; asked when another row of its title looks for its like. */
  isStored?: Promise<boolean>;
}

/** Only the vendor can set who made a row and when. */
const AUTHORS = 'who made and changed it, and when';

/** Rows of lists: with every version, and references to where their likes are at the target. */
export class SiteRows {
  private readonly target: SiteTarget;
  private readonly stored: StoredSite;
  private readonly lists: SiteLists;
  private readonly signal: AbortSignal;
  private readonly files: RowFiles;
  private readonly there = new Map<string, Promise<Map<string, RowThere>>>();
  /** By the id of the stored row. A row that another refers to may be written before its turn. */
  private readonly written = new Map<string, Promise<Written>>();
  /** Which row waits for which other to be written, by their stored ids: rows may refer to each other in a circle. */
  private readonly waiting = new Map<string, string>();
  private people: Promise<Map<string, string>> | null = null;

  constructor(target: SiteTarget, stored: StoredSite, lists: SiteLists, signal: AbortSignal) {
    this.target = target;
    this.stored = stored;
    this.lists = lists;
    this.signal = signal;
    this.files = new RowFiles(target, signal);
  }

  /**
   * The row of the same number while the list is the same, and others of its title; those of equal fields count as unchanged. A row that is stored
   * itself matches itself alone: it would be made a second time otherwise, and one that is gone not at all.
   */
  async find(list: PlacedList, item: RestoreItem): Promise<FoundInPlace[]> {
    const own = rowOfId(item.version.id);
    const fields = objectOf(item.properties['fields']);
    const text = digest(writtenText(fields, list.columns));
    const title = textOf(fields['Title']) ?? '';
    const found: FoundInPlace[] = [];
    for (const [id, row] of await this.rowsOf(list)) {
      const isItself = own !== null && own.listId === list.id && own.row === id;
      if (!isItself && (row.title !== title || title === '') && row.text !== text) continue;
      if (!isItself && own?.listId === list.id && (await this.isStored(list, id, row))) continue;
      const isUnchanged = row.text === text && (row.hasAttachments || !this.files.areMissing(item));
      found.push({ id: rowId(list.id, id), modifiedAt: row.modifiedAt, isUnchanged });
    }
    return found.sort((one) => (one.isUnchanged === true ? -1 : 1));
  }

  private isStored(list: PlacedList, id: string, row: RowThere): Promise<boolean> {
    const { parts, object, revision } = this.stored;
    row.isStored ??= parts.catalog.item(object, revision, rowId(list.id, id)).then((found) => found !== null);
    return row.isStored;
  }

  create(list: PlacedList, item: RestoreItem): Promise<Written> {
    const known = this.written.get(item.version.id) ?? this.write(list, item);
    this.written.set(item.version.id, known);
    known.catch(() => this.written.delete(item.version.id));
    return known;
  }

  async replace(list: PlacedList, id: string, item: RestoreItem): Promise<Written> {
    const { fields, losses } = await this.fieldsOf(list, objectOf(item.properties['fields']), item.version.id);
    await this.target.updateRow(list.id, numberOf(id), fields, this.signal);
    this.there.delete(list.id);
    const number = numberOf(id);
    return { id, losses: [...losses, ...(await this.files.add(list.id, number, item))] };
  }

  async remove(list: PlacedList, id: string): Promise<void> {
    await this.target.deleteRow(list.id, numberOf(id), this.signal);
    this.there.delete(list.id);
  }

  /** Earlier versions first, the oldest before all; a failure on the way takes the row back. */
  private async write(list: PlacedList, item: RestoreItem): Promise<Written> {
    const [first, ...later] = [...(await earlierFields(item)), objectOf(item.properties['fields'])];
    const begun = await this.fieldsOf(list, first ?? {}, item.version.id);
    const row = await this.target.createRow(list.id, begun.fields, typeOf(list, item), this.signal);
    try {
      let { losses } = begun;
      for (const read of later) {
        const next = await this.fieldsOf(list, read, item.version.id);
        await this.target.updateRow(list.id, row.id, next.fields, this.signal);
        losses = next.losses;
      }
      losses = [...losses, ...(await this.files.attach(list.id, row.id, item, new Set()))];
      (await this.there.get(list.id))?.set(row.id, rowThere(item.properties, list));
      return { id: rowId(list.id, row.id), losses: [...new Set([...losses, AUTHORS])] };
    } catch (error) {
      await this.target.deleteRow(list.id, row.id, this.signal);
      throw error;
    }
  }

  private fieldsOf(list: PlacedList, read: JsonObject, row: string) {
    return writableFields(read, list.columns, (column, id) =>
      isObject(column['personOrGroup']) ? this.personOf(id) : this.rowOf(column, id, row),
    );
  }

  /** Where the row a lookup leads to is by now: it is written before its turn when it is not there. @param from the row that refers to it */
  private async rowOf(column: JsonObject, number: string, from: string): Promise<string | null> {
    const target = textOf(objectOf(column['lookup'])['listId']);
    const list = target === undefined ? null : await this.storedListAt(target);
    if (list === null) return number;
    const { parts, object, revision } = this.stored;
    const placed = await this.lists.place(list, false);
    const version = await parts.catalog.item(object, revision, rowId(list.id, number));
    if (placed === null || version === null || this.leadsTo(version.id, from)) return null;
    this.waiting.set(from, version.id);
    try {
      const item = await readRestoreItem(parts, version, { mark: false, markUnread: false });
      const [found] = placed.isNew ? [] : await this.find(placed, item);
      return numberOf(found?.id ?? (await this.create(placed, item)).id);
    } finally {
      this.waiting.delete(from);
    }
  }

  /** Whether a row waits for another, itself or through others: then that one cannot wait for it. */
  private leadsTo(row: string, other: string): boolean {
    for (let at: string | undefined = row; at !== undefined; at = this.waiting.get(at)) if (at === other) return true;
    return false;
  }

  /** The stored list that matches a list of the target. */
  private async storedListAt(targetId: string): Promise<ItemVersion | null> {
    return this.lists.storedAt(targetId) ?? this.lists.listOf(targetId);
  }

  /** People have other numbers in every site: the one of the same sign-in name is meant. */
  private async personOf(number: string): Promise<string | null> {
    this.people ??= this.peopleMap();
    const people = await this.people;
    return people.size === 0 ? number : (people.get(number) ?? null);
  }

  /** @returns numbers at the target by those that were stored; empty where either does not list people */
  private async peopleMap(): Promise<Map<string, string>> {
    const stored = await this.lists.peopleList();
    const placed = stored === null ? null : await this.lists.place(stored, false);
    const map = new Map<string, string>();
    if (stored === null || placed === null) return map;
    const there = new Map<string, string>();
    for await (const row of this.target.rows(placed.id, this.signal)) there.set(signInOf(row), textOf(row['id']) ?? '');
    const { parts, object, revision } = this.stored;
    for await (const row of parts.catalog.walk(object, revision, stored.id)) {
      if (row.kind !== 'list-item') continue;
      const properties = await readProperties(parts, row);
      const id = there.get(signInOf(properties));
      if (id !== undefined) map.set(numberOf(row.id), id);
    }
    return map;
  }

  private rowsOf(list: PlacedList): Promise<Map<string, RowThere>> {
    const known = this.there.get(list.id) ?? this.readRows(list);
    this.there.set(list.id, known);
    return known;
  }

  private async readRows(list: PlacedList): Promise<Map<string, RowThere>> {
    const rows = new Map<string, RowThere>();
    for await (const row of this.target.rows(list.id, this.signal))
      rows.set(textOf(row['id']) ?? '', rowThere(row, list));
    return rows;
  }
}

/** The number of a row, of an id as it is stored or as it is. */
const numberOf = (id: string): string => rowOfId(id)?.row ?? id;

function signInOf(row: JsonObject): string {
  const fields = objectOf(row['fields']);
  return (textOf(fields['UserName']) ?? textOf(fields['Name']) ?? textOf(fields['Title']) ?? '').toLowerCase();
}

function rowThere(row: JsonObject, list: PlacedList): RowThere {
  const fields = objectOf(row['fields']);
  return {
    title: textOf(fields['Title']) ?? '',
    text: digest(writtenText(fields, list.columns)),
    modifiedAt: dateOf(row['lastModifiedDateTime']),
    hasAttachments: fields['Attachments'] === true,
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Content types have other ids in every list, and the same names. */
function typeOf(list: PlacedList, { properties }: RestoreItem): string | null {
  const name = objectOf(properties['contentType'])['name'];
  return textOf(list.contentTypes.find((type) => type['name'] === name)?.['id']) ?? null;
}

async function earlierFields({ contents }: RestoreItem): Promise<JsonObject[]> {
  const earlier: { at: number; fields: JsonObject }[] = [];
  for (const { name, open } of contents.filter((content) => content.name.startsWith('versions/'))) {
    const parts: Uint8Array[] = [];
    for await (const part of open()) parts.push(part);
    const version = objectOf(JSON.parse(Buffer.concat(parts).toString()));
    earlier.push({ at: Number.parseFloat(name.slice('versions/'.length)), fields: objectOf(version['fields']) });
  }
  return earlier.sort((one, other) => one.at - other.at).map(({ fields }) => fields);
}
