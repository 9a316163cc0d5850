import { childrenOf } from '../browse/children-of.ts';
import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { locatedAhead } from '../catalog/located-ahead.ts';
import type { ItemVersion } from '../model/items.ts';
import { objectOf, textOf } from '../source/graph/json.ts';
import { rowOfId } from '../source/graph/site/site-item.ts';
import { type ExportCount, type ExportParts, isOfOneItem, readProperties } from './export-parts.ts';
import { type ListColumn, shownColumns } from './list-columns.ts';
import { ListValues } from './list-values.ts';

/** A list, or some rows of it. */
export interface ChosenList {
  list: ItemVersion;
  /** The list itself, or ids of rows. */
  items: readonly string[];
}

/** A row as people read it: its number, and its values in the order of the columns. */
export interface TableRow {
  number: string;
  values: readonly unknown[];
}

const NOT_STORED = 'have attachments that were not backed up: SharePoint did not give them to the application.';

/** A list as a table, read row by row. */
export class ListTable {
  readonly name: string;
  readonly columns: readonly ListColumn[];
  private readonly parts: ExportParts;
  private readonly scope: ItemScope;
  private readonly chosen: ChosenList;
  private readonly values: ListValues;

  private constructor(parts: ExportParts, scope: ItemScope, chosen: ChosenList, columns: readonly ListColumn[]) {
    this.name = chosen.list.name;
    this.columns = columns;
    this.parts = parts;
    this.scope = scope;
    this.chosen = chosen;
    this.values = new ListValues(parts, scope);
  }

  static async open(parts: ExportParts, scope: ItemScope, chosen: ChosenList): Promise<ListTable> {
    const definitions: Awaited<ReturnType<typeof readProperties>>[] = [];
    for await (const column of childrenOf(parts.catalog, scope, chosen.list.id, ['list-column']))
      definitions.push(await readProperties(parts, column));
    return new ListTable(parts, scope, chosen, shownColumns(await readProperties(parts, chosen.list), definitions));
  }

  /** A row that is damaged is counted as missing, and the others are given. @param count `null`: this was counted already */
  async *rows(count: ExportCount | null): AsyncGenerator<TableRow> {
    const { parts, chosen } = this;
    const scope = { ...this.scope, items: chosen.items };
    let withAttachments = 0;
    for await (const { version, index } of locatedAhead(parts.catalog, versionsIn(parts.catalog, scope))) {
      parts.signal.throwIfAborted();
      if (version.kind !== 'list-item') continue;
      const isStored = version.contents.some(({ name }) => name.startsWith('attachments/'));
      if (version.details.hasAttachments === true && !isStored) withAttachments += 1;
      const row = await this.row({ ...parts, index }, version, count);
      if (row === null) continue;
      count?.done(version.sizeBytes);
      yield row;
    }
    if (withAttachments === 0) return;
    const reason = `${withAttachments} of its items ${NOT_STORED}`;
    count?.add('without', { id: chosen.list.id, name: this.name, path: [], reason });
  }

  private async row(parts: ExportParts, version: ItemVersion, count: ExportCount | null): Promise<TableRow | null> {
    try {
      const fields = objectOf((await readProperties(parts, version))['fields']);
      const values = await Promise.all(this.columns.map((column) => this.values.of(column, fields)));
      return { number: textOf(fields['id']) ?? rowOfId(version.id)?.row ?? version.id, values };
    } catch (error) {
      if (count !== null) count.miss(version, [this.name], error);
      else if (!isOfOneItem(error)) throw error;
      return null;
    }
  }
}
