import { GraphError } from '../../wire/graph-error.ts';
import { isObject, type JsonObject, objectOf, textOf } from '../../wire/json.ts';

/** The facets that say what a column contains, with their `type`. */
const facets = {
  text: 'text',
  number: 'number',
  currency: 'currency',
  dateTime: 'dateTime',
  choice: 'choice',
  boolean: 'boolean',
  personOrGroup: 'user',
  lookup: 'lookup',
  hyperlinkOrPicture: 'url',
  calculated: 'calculated',
} as const;

export type ColumnKind = keyof typeof facets;

export interface Column {
  id: string;
  /** Name within fields; never changes. */
  name: string;
  displayName: string;
  description: string;
  kind: ColumnKind;
  /** The facet as it goes over the wire, such as `{ choices: ['A', 'B'] }`. */
  facet: JsonObject;
  required: boolean;
  hidden: boolean;
  readOnly: boolean;
  indexed: boolean;
  enforceUniqueValues: boolean;
  columnGroup: string;
  defaultValue: JsonObject | undefined;
}

/** A column of a name and kind with everything else as usual. */
export function column(id: string, name: string, kind: ColumnKind, more: Partial<Column> = {}): Column {
  const plain = { required: false, hidden: false, readOnly: kind === 'calculated', indexed: false };
  const group = { enforceUniqueValues: false, columnGroup: 'Custom Columns', defaultValue: undefined };
  return { id, name, displayName: name, description: '', kind, facet: {}, ...plain, ...group, ...more };
}

/** Reads a `columnDefinition` that is to be created. @throws GraphError 400 without a name or with no known facet */
export function readColumn(body: unknown, id: string): Column {
  const input = objectOf(body);
  const name = textOf(input['name']);
  const kinds = Object.keys(facets).filter((facet): facet is ColumnKind => isObject(input[facet]));
  const [kind] = kinds;
  if (!name || !kind || kinds.length > 1) {
    throw new GraphError(400, 'invalidRequest', 'A column needs a name and exactly one facet that gives its type.');
  }
  return { ...column(id, encodeName(name), kind), displayName: name, ...changesOf(input, kind) };
}

/** What a request says of a column that can be said at any time. */
export function changesOf(input: JsonObject, kind: ColumnKind): Partial<Column> {
  const changes: Partial<Column> = {};
  for (const name of ['displayName', 'description', 'columnGroup'] as const) {
    const value = textOf(input[name]);
    if (value !== undefined) changes[name] = value;
  }
  for (const name of ['required', 'hidden', 'readOnly', 'indexed', 'enforceUniqueValues'] as const) {
    const value = input[name];
    if (typeof value === 'boolean') changes[name] = value;
  }
  if (isObject(input[kind])) changes.facet = objectOf(input[kind]);
  if (isObject(input['defaultValue'])) changes.defaultValue = objectOf(input['defaultValue']);
  return changes;
}

/** The `columnDefinition` of the wire. */
export function columnEntity(column: Column): JsonObject {
  const { kind, facet, defaultValue, ...facts } = column;
  const isMultiChoice = kind === 'choice' && facet['displayAs'] === 'checkBoxes';
  const isNote = kind === 'text' && facet['allowMultipleLines'] === true;
  const type = isMultiChoice ? 'multichoice' : isNote ? 'note' : facets[kind];
  return { ...facts, isDeletable: !isBuiltIn(column), type, [kind]: facet, ...(defaultValue && { defaultValue }) };
}

const builtIn = ['Title', 'ContentType', 'Modified', 'Created', 'Author', 'Editor', '_UIVersionString', 'Attachments'];

export const isBuiltIn = ({ name }: Column): boolean => builtIn.includes(name) || name === 'FileLeafRef';

/** SharePoint writes signs that names within fields may not have as `_x0020_`. */
const encodeName = (name: string) =>
  name
    .replace(/[^\p{L}\p{N}_]/gu, (sign) => `_x${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}_`)
    .slice(0, 64);
