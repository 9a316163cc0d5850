import type { CatalogObject } from '../../catalog/catalog.ts';
import type { ItemVersion } from '../../model/items.ts';
import type { ExportParts } from '../export-parts.ts';
import { ListTable } from '../list-table.ts';
import { cellOf } from '../list-values.ts';
import { type Fact, factsOf } from './preview.ts';

/** The fields of a row as people see them: by the titles of its list's columns, persons and other rows by their names. */
export async function rowFacts(parts: ExportParts, object: CatalogObject, item: ItemVersion): Promise<Fact[]> {
  const revision = item.lastRevision ?? object.revision;
  const scope = { object, revision, items: null };
  const list = item.parentId === null ? null : await parts.catalog.item(object.key, revision, item.parentId);
  if (list === null) return [];
  const table = await ListTable.open(parts, scope, { list, items: [item.id] });
  const facts: Fact[] = [];
  for await (const { values } of table.rows(null))
    for (const [at, { title }] of table.columns.entries())
      facts.push(...factsOf({ [title]: String(cellOf(values[at])) }));
  return facts;
}
