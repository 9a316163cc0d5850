import { GraphError } from '../../wire/graph-error.ts';
import type { JsonObject } from '../../wire/json.ts';
import type { Column } from './column.ts';

const refused = (message: string) => new GraphError(400, 'invalidRequest', message);

/**
 * Reads the values of a `fieldValueSet` that is written. Persons and lookups are written by number as `{name}LookupId`;
 * a field with several values comes with `{name}@odata.type`.
 * @throws GraphError 400 for unknown and read-only fields, and for values a column does not take
 */
export function readFields(input: JsonObject, columns: readonly Column[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(input)) {
    if (key.includes('@odata.') || key === 'id' || key === 'ContentType') continue;
    const column = columns.find(({ name, kind }) => key === (isReference(kind) ? `${name}LookupId` : name));
    if (!column) throw refused(`Field '${key}' is not recognized`);
    if (column.readOnly) throw refused(`Field '${key}' is read-only`);
    fields[key] = value === null ? null : checked(value, column, `${key}@odata.type` in input);
  }
  return fields;
}

/** The values of an item that is to be created: what was given, defaults, and a refusal for what is required. */
export function completeFields(given: Record<string, unknown>, columns: readonly Column[]): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...given };
  for (const { name, kind, defaultValue, required } of columns) {
    const key = isReference(kind) ? `${name}LookupId` : name;
    if (fields[key] === undefined && defaultValue) fields[key] = defaultOf(defaultValue['value'], kind);
    if (required && (fields[key] ?? null) === null) throw refused(`Field '${name}' is required`);
  }
  return fields;
}

/** Values that are worked out; of formulas the product of two columns is understood, as in `=[Quantity]*[Price]`. */
export function calculatedValue(column: Column, fields: JsonObject): unknown {
  const [, left = '', right = ''] =
    /^=\s*\[?(\w+)\]?\s*\*\s*\[?(\w+)\]?$/.exec(String(column.facet['formula'] ?? '')) ?? [];
  const product = Number(fields[left]) * Number(fields[right]);
  return Number.isNaN(product) ? undefined : product;
}

export const isReference = (kind: Column['kind']): boolean => kind === 'personOrGroup' || kind === 'lookup';

function checked(value: unknown, { name, kind, facet }: Column, isList: boolean): unknown {
  if (kind === 'hyperlinkOrPicture')
    throw refused(`Field '${name}' cannot be set: hyperlinks are read-only in this API`);
  const isMultiple =
    facet['allowMultipleValues'] === true ||
    facet['allowMultipleSelection'] === true ||
    (kind === 'choice' && facet['displayAs'] === 'checkBoxes');
  if (Array.isArray(value)) {
    if (!isMultiple) throw refused(`Field '${name}' takes one value`);
    if (!isList) throw refused(`Field '${name}' needs its @odata.type to take several values`);
    return value.map((entry: unknown) => checkedOne(entry, name, kind, facet));
  }
  return isMultiple ? [checkedOne(value, name, kind, facet)] : checkedOne(value, name, kind, facet);
}

function checkedOne(value: unknown, name: string, kind: Column['kind'], facet: JsonObject): unknown {
  const wrong = () => refused(`The value of field '${name}' is not one of a ${kind} column`);
  if (kind === 'boolean' && typeof value !== 'boolean') throw wrong();
  if ((kind === 'number' || kind === 'currency') && typeof value !== 'number') throw wrong();
  if (kind === 'dateTime' && Number.isNaN(Date.parse(String(value)))) throw wrong();
  if (isReference(kind) && !/^\d+$/.test(String(value))) throw wrong();
  if (kind === 'choice' && facet['allowTextEntry'] !== true) {
    const { choices } = facet;
    if (Array.isArray(choices) && !choices.includes(value)) throw wrong();
  }
  return isReference(kind) ? String(value) : value;
}

function defaultOf(value: unknown, kind: Column['kind']): unknown {
  if (kind === 'boolean') return value === '1' || value === 'true';
  return kind === 'number' || kind === 'currency' ? Number(value) : value;
}
