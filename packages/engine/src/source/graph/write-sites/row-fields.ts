import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';

/** Where a reference of a row leads at the target: the number of a person or of a row of another list; `null`: nowhere. */
export type FindReference = (column: JsonObject, id: string) => Promise<string | null>;

/** Fields as Graph takes them, and what of the row cannot be written. */
export interface WritableFields {
  fields: JsonObject;
  losses: string[];
}

const isReference = (column: JsonObject) => isObject(column['personOrGroup']) || isObject(column['lookup']);
const isLink = (column: JsonObject) => isObject(column['hyperlinkOrPicture']);

/** Columns whose values people write. */
export const writableColumns = (columns: readonly JsonObject[]): JsonObject[] =>
  columns.filter((column) => {
    const name = textOf(column['name']) ?? '';
    return column['readOnly'] !== true && !isObject(column['calculated']) && !VENDORS_OWN.has(name);
  });

/** Read-only by their nature, although not all tenants say so. */
const VENDORS_OWN: ReadonlySet<string> = new Set([
  'ContentType',
  'Attachments',
  'LinkTitle',
  'LinkTitleNoMenu',
  'Edit',
  'ID',
]);

/**
 * The fields of a row as they are written (https://learn.microsoft.com/graph/api/listitem-create): persons and lookups by number, lists of
 * values with their type. Hyperlinks are read and not written by Graph.
 */
export async function writableFields(
  read: JsonObject,
  columns: readonly JsonObject[],
  find: FindReference,
): Promise<WritableFields> {
  const fields: Record<string, unknown> = {};
  const losses: string[] = [];
  for (const column of writableColumns(columns)) {
    const name = textOf(column['name']) ?? '';
    const value = isReference(column) ? referencesIn(read, name) : read[name];
    if (value === undefined || value === null) continue;
    if (isLink(column)) losses.push(`the hyperlink ‘${textOf(column['displayName']) ?? name}’`);
    else if (isReference(column)) await addReferences(fields, losses, column, value, find);
    else {
      fields[name] = value;
      if (Array.isArray(value)) fields[`${name}@odata.type`] = 'Collection(Edm.String)';
    }
  }
  return { fields, losses };
}

/** The numbers that a reference contains: one is beside its name, several are within it. */
function referencesIn(read: JsonObject, name: string): string | string[] | undefined {
  const one = read[`${name}LookupId`];
  if (typeof one === 'string' || typeof one === 'number') return String(one);
  const several = objectsOf(read[name]).map(({ LookupId }) => String(LookupId));
  return several.length > 0 ? several : undefined;
}

async function addReferences(
  fields: Record<string, unknown>,
  losses: string[],
  column: JsonObject,
  value: unknown,
  find: FindReference,
): Promise<void> {
  const name = textOf(column['name']) ?? '';
  const ids = Array.isArray(value) ? value.map(String) : [String(value)];
  const found: string[] = [];
  for (const id of ids) {
    const there = await find(column, id);
    if (there === null) losses.push(`a reference in ‘${textOf(column['displayName']) ?? name}’`);
    else found.push(there);
  }
  if (found.length === 0) return;
  fields[`${name}LookupId`] = Array.isArray(value) ? found.map(Number) : found[0];
  if (Array.isArray(value)) fields[`${name}LookupId@odata.type`] = 'Collection(Edm.Int32)';
}

/** What people wrote into a row, as a text to compare. */
export function writtenText(read: JsonObject, columns: readonly JsonObject[]): string {
  const names = writableColumns(columns).filter((column) => !isLink(column));
  return JSON.stringify(
    names
      .map((column) => textOf(column['name']) ?? '')
      .sort()
      .map((name) => [name, read[`${name}LookupId`] ?? read[name] ?? null]),
  );
}

/** A column as it is created: its type, with settings, and its name. */
export function newColumn(column: JsonObject, listIdOf: (id: string) => string | null): JsonObject | null {
  const facet = FACETS.find((name) => isObject(column[name]));
  if (facet === undefined) return null;
  const settings = objectOf(column[facet]);
  const listId = textOf(settings['listId']);
  const target = listId === undefined ? undefined : listIdOf(listId);
  if (facet === 'lookup' && (target === null || target === undefined)) return null;
  const common = Object.entries(column).filter(([name]) => COLUMN_PARTS.includes(name));
  return { ...Object.fromEntries(common), [facet]: target === undefined ? settings : { ...settings, listId: target } };
}

/** https://learn.microsoft.com/graph/api/resources/columndefinition */
const FACETS = [
  'boolean',
  'calculated',
  'choice',
  'currency',
  'dateTime',
  'geolocation',
  'hyperlinkOrPicture',
  'lookup',
  'number',
  'personOrGroup',
  'term',
  'text',
  'thumbnail',
];
const COLUMN_PARTS = [
  'name',
  'displayName',
  'description',
  'columnGroup',
  'required',
  'hidden',
  'indexed',
  'enforceUniqueValues',
  'defaultValue',
  'validation',
];
