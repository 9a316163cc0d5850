import { stringify } from 'csv-stringify/sync';
import { childrenOf } from '../browse/children-of.ts';
import { ContainerPaths } from '../browse/container-paths.ts';
import type { ItemScope } from '../browse/item-scope.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';
import { textOf } from '../source/graph/json.ts';
import { ExportCount, type ExportParts, type ExportResult } from './export-parts.ts';
import { NUMBER_TITLE } from './list-columns.ts';
import { type ChosenList, ListTable } from './list-table.ts';
import { cellOf } from './list-values.ts';
import { NamesInFolder } from './safe-name.ts';
import { addRoles, addRowFiles } from './site-files.ts';
import { writeWhole } from './write-whole.ts';
import { writeZip } from './zip-file.ts';

export const LIST_FORMATS = ['csv', 'json'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/**
 * A list of a site, or some rows of one, as CSV or JSON: columns by their titles, persons and lookups by their names. In CSV a value that a
 * spreadsheet would read as a formula comes after an apostrophe. The file has its name only when it is whole.
 * @throws `bad-request` for what is not in one list
 */
export async function exportList(
  parts: ExportParts,
  scope: ItemScope,
  path: string,
  format: ListFormat,
): Promise<ExportResult> {
  const [chosen, ...others] = await listsIn(parts, scope);
  if (chosen === undefined || others.length > 0)
    throw new EngineError(
      'bad-request',
      `A file of the format ${format} contains one list: choose one, or export as ZIP.`,
    );
  const count = await ExportCount.of(parts, scope);
  const table = await ListTable.open(parts, scope, chosen);
  await writeWhole(textOfTable(table, format, count), path, parts.signal);
  return count.result([path]);
}

/** All lists of a site, or some, as a ZIP with each of them as CSV and as JSON, the files attached to their rows, and the roles in the whole site. */
export async function exportLists(parts: ExportParts, scope: ItemScope, path: string): Promise<ExportResult> {
  const lists = await listsIn(parts, scope);
  const count = await ExportCount.of(parts, scope);
  const names = new NamesInFolder();
  await writeZip(path, parts.signal, async (zip) => {
    for (const chosen of lists) {
      const table = await ListTable.open(parts, scope, chosen);
      const name = names.reserve(table.name);
      await zip.addFile(`${name}.csv`, null, null, () => textOfTable(table, 'csv', count));
      await zip.addFile(`${name}.json`, null, null, () => textOfTable(table, 'json', null));
      await addRowFiles(
        parts,
        { ...scope, items: chosen.items },
        zip,
        names.reserve(`${table.name} attachments`),
        count,
      );
    }
    if (scope.items === null) await addRoles(parts, scope, zip, count);
  });
  return count.result([path]);
}

async function listsIn(parts: ExportParts, scope: ItemScope): Promise<ChosenList[]> {
  const { object, items } = scope;
  if (object.kind !== 'site')
    throw new EngineError('bad-request', `Only a site has lists; '${object.name}' is a ${object.kind}.`);
  const chosen = new Map<string, { list: ItemVersion; items: string[] }>();
  if (items === null) {
    for await (const list of childrenOf(parts.catalog, scope, null, ['list']))
      chosen.set(list.id, { list, items: [list.id] });
    return [...chosen.values()];
  }
  const paths = new ContainerPaths(parts.catalog, scope);
  for (const id of items) {
    const list = await listOf(paths, id);
    const known = chosen.get(list.id) ?? { list, items: [] };
    chosen.set(list.id, { list, items: [...known.items, id] });
  }
  return [...chosen.values()];
}

/** The list that an item is, or is in. */
async function listOf(paths: ContainerPaths, id: string): Promise<ItemVersion> {
  const item = await paths.item(id);
  const list = item?.kind === 'list-item' && item.parentId !== null ? await paths.container(item.parentId) : item;
  if (list?.kind === 'list') return list;
  const what = item === null ? 'not in this site' : `a ${item.kind}`;
  throw new EngineError('bad-request', `${id} is ${what}: lists and their items alone can be exported from a site.`);
}

function textOfTable(table: ListTable, format: ListFormat, count: ExportCount | null): AsyncIterable<Uint8Array> {
  return format === 'csv' ? csvOf(table, count) : jsonOf(table, count);
}

/** RFC 4180, in UTF-8 with the mark by which spreadsheets know it. */
async function* csvOf(table: ListTable, count: ExportCount | null): AsyncGenerator<Buffer> {
  yield csvLine([NUMBER_TITLE, ...table.columns.map(({ title }) => title)], { bom: true });
  for await (const { number, values } of table.rows(count)) yield csvLine([number, ...values.map(cellOf)]);
}

function csvLine(cells: readonly unknown[], options: { bom?: boolean } = {}): Buffer {
  const shape = { record_delimiter: 'windows', quoted_match: /[\r\n]/, cast: { boolean: String } } as const;
  return Buffer.from(stringify([[...cells]], { ...shape, escape_formulas: true, ...options }));
}

async function* jsonOf(table: ListTable, count: ExportCount | null): AsyncGenerator<Buffer> {
  const columns = table.columns.map(({ title, name, definition }) => ({
    title,
    name,
    type: textOf(definition['type']),
  }));
  yield Buffer.from(`{"list":${JSON.stringify(table.name)},"columns":${JSON.stringify(columns)},"items":[`);
  let separator = '\n';
  for await (const { number, values } of table.rows(count)) {
    const fields = table.columns.map(({ title }, at): [string, unknown] => [title, values[at] ?? null]);
    yield Buffer.from(separator + JSON.stringify(Object.fromEntries([[NUMBER_TITLE, number], ...fields])));
    separator = ',\n';
  }
  yield Buffer.from('\n]}\n');
}
