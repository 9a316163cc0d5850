import { childrenOf } from '../browse/children-of.ts';
import { ContainerPaths } from '../browse/container-paths.ts';
import type { ItemScope } from '../browse/item-scope.ts';
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '../source/graph/json.ts';
import { rowId } from '../source/graph/site/site-item.ts';
import { type ExportParts, isOfOneItem, readProperties } from './export-parts.ts';
import type { ListColumn } from './list-columns.ts';

const REMEMBERED_MAX = 20_000;

/** Values of rows as people read them: rows name persons and rows of other lists by numbers. */
export class ListValues {
  private readonly parts: ExportParts;
  private readonly scope: ItemScope;
  private readonly paths: ContainerPaths;
  private readonly rows = new Map<string, Promise<JsonObject>>();
  private peopleList: Promise<string | null> | null = null;

  constructor(parts: ExportParts, scope: ItemScope) {
    this.parts = parts;
    this.scope = scope;
    this.paths = new ContainerPaths(parts.catalog, scope);
  }

  /** @returns `null` for what is empty; texts for persons and lookups, a list of them where a column takes several */
  async of({ name, definition }: ListColumn, fields: JsonObject): Promise<unknown> {
    const { personOrGroup, lookup } = definition;
    if (!isObject(personOrGroup) && !isObject(lookup)) return fields[name] ?? null;
    const one = fields[`${name}LookupId`];
    const textOfNumber = (number: unknown) =>
      isObject(lookup) ? this.lookedUp(lookup, String(number)) : this.person(String(number));
    if (typeof one === 'string' || typeof one === 'number') return textOfNumber(one);
    if (!Array.isArray(fields[name])) return fields[name] ?? null;
    return Promise.all(objectsOf(fields[name]).map((value) => saidOf(value) ?? textOfNumber(value['LookupId'])));
  }

  private async lookedUp({ listId, columnName }: JsonObject, number: string): Promise<string> {
    const list = textOf(listId);
    const row = list === undefined ? {} : await this.row(rowId(list, number));
    const value = row[textOf(columnName) ?? 'Title'];
    return typeof value === 'number' ? String(value) : (textOf(value) ?? `#${number}`);
  }

  private async person(number: string): Promise<string> {
    this.peopleList ??= this.findPeopleList();
    const list = await this.peopleList;
    const row = list === null ? {} : await this.row(rowId(list, number));
    return nameAndAddress(row['Title'], row['EMail']) ?? textOf(row['UserName']) ?? `#${number}`;
  }

  private async findPeopleList(): Promise<string | null> {
    for await (const list of childrenOf(this.parts.catalog, this.scope, null, ['list']))
      if (list.details.role === 'userInformation') return list.id;
    return null;
  }

  /** Fields of a row that others lead to; none where it is not stored or damaged: its number is shown then. */
  private row(id: string): Promise<JsonObject> {
    if (this.rows.size > REMEMBERED_MAX) this.rows.clear();
    const known = this.rows.get(id) ?? this.readRow(id);
    this.rows.set(id, known);
    return known;
  }

  private async readRow(id: string): Promise<JsonObject> {
    const row = await this.paths.item(id);
    if (row === null) return {};
    try {
      return objectOf((await readProperties({ ...this.parts, index: this.parts.catalog }, row))['fields']);
    } catch (error) {
      if (isOfOneItem(error)) return {};
      throw error;
    }
  }
}

/** What Graph says of one of several references beside its number. */
const saidOf = ({ LookupValue, Email }: JsonObject) => nameAndAddress(LookupValue, Email);

function nameAndAddress(name: unknown, address: unknown): string | undefined {
  const [shown, mail] = [textOf(name), textOf(address)];
  return shown !== undefined && mail !== undefined ? `${shown} <${mail}>` : (shown ?? mail);
}

/** A value for a cell of a table: several behind each other, a link with its text. */
export function cellOf(value: unknown): string | number | boolean {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((one) => String(cellOf(one))).join('; ');
  const { Url, Description } = objectOf(value);
  return nameAndAddress(Description, Url) ?? JSON.stringify(value);
}
