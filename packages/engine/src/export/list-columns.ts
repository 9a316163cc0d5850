import type { JsonObject } from '../source/graph/json.ts';
import { booleanOf, objectsOf, textOf } from '../source/graph/json.ts';

/** A column as it is in an exported list. */
export interface ListColumn {
  /** Its name within fields, which never changes. */
  name: string;
  /** What people call it; unique in its list. */
  title: string;
  /** The `columnDefinition` of Graph. */
  definition: JsonObject;
}

/** They repeat the title or the number of the row. */
const REPEATED: ReadonlySet<string> = new Set(['ID', 'LinkTitle', 'LinkTitleNoMenu', 'Edit']);
/** Ours: the number of the row comes before its columns. */
export const NUMBER_TITLE = 'ID';

/**
 * The columns that people see, in the order of their list. Of those that share a title all but the first carry their name behind it.
 * @param list properties of the list, @param definitions properties of its columns
 */
export function shownColumns(list: JsonObject, definitions: readonly JsonObject[]): ListColumn[] {
  const order = new Map(objectsOf(list['columns']).map(({ name }, at) => [textOf(name) ?? '', at]));
  const placeOf = (column: JsonObject) => order.get(textOf(column['name']) ?? '') ?? order.size;
  const titles = new Set([NUMBER_TITLE.toLowerCase()]);
  return definitions
    .filter((column) => booleanOf(column['hidden']) !== true && !REPEATED.has(textOf(column['name']) ?? ''))
    .sort((one, other) => placeOf(one) - placeOf(other))
    .map((definition) => {
      const name = textOf(definition['name']) ?? '';
      const called = textOf(definition['displayName']) ?? name;
      const title = titles.has(called.toLowerCase()) ? `${called} (${name})` : called;
      titles.add(title.toLowerCase());
      return { name, title, definition };
    });
}
