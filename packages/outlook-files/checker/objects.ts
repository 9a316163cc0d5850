import type { Database } from './database.ts';
import { PropertyContext, propertyName } from './heap/property-context.ts';
import { TableContext } from './heap/table-context.ts';
import { NodeContent } from './node-content.ts';
import { nodeName } from './nodes.ts';
import type { RuleName } from './rules.ts';
import type { ColumnTag } from './tables.ts';

/** What the checks of the messaging layer share. */
export interface Store {
  database: Database;
  /** Ids of the properties the name-to-id map names. */
  named: Set<number>;
}

/** The property context of a top-level node, or undefined (with a finding) where it cannot be read. */
export async function openProperties(database: Database, nid: number): Promise<PropertyContext | undefined> {
  const node = database.nodes.get(nid);
  if (!node) return undefined;
  return await database.findings.guard(nodeName(nid), async () =>
    PropertyContext.open(await NodeContent.open(database, node, nodeName(nid))),
  );
}

/** The table context of a top-level node, or undefined (with a finding) where it cannot be read. */
export async function openTable(database: Database, nid: number): Promise<TableContext | undefined> {
  const node = database.nodes.get(nid);
  if (!node) return undefined;
  return await database.findings.guard(nodeName(nid), async () =>
    TableContext.open(await NodeContent.open(database, node, nodeName(nid))),
  );
}

/** A property an object must have: id and type. */
export function requireProperties(properties: PropertyContext, required: ColumnTag[], rule: RuleName): void {
  for (const [id, type] of required) {
    if (!properties.has(id, type))
      properties.node.database.findings.add(
        rule,
        properties.node.where,
        `${propertyName(id)} of type 0x${type.toString(16)} is missing`,
      );
  }
}

/** The columns a table must have. */
export function requireColumns(table: TableContext, required: ColumnTag[], rule: RuleName): void {
  for (const [id, type] of required) {
    if (!table.columns.some((column) => column.id === id && column.type === type))
      table.node.database.findings.add(
        rule,
        table.node.where,
        `the column ${propertyName(id)} of type 0x${type.toString(16)} is missing`,
      );
  }
}

/** Properties above 0x8000 mean nothing without a name. */
export function checkNames(store: Store, properties: PropertyContext): void {
  for (const id of properties.properties.keys()) {
    if (id >= 0x8000 && !store.named.has(id))
      store.database.findings.add(
        'names-unknown-property',
        properties.node.where,
        `${propertyName(id)} is not in the name-to-id map`,
      );
  }
}

/** Subnodes nothing refers to are lost space, or data a reader will never find. */
export function checkUnused(node: NodeContent): void {
  for (const nid of node.subnodes.keys()) {
    if (!node.used.has(nid))
      node.database.findings.add('subnode-unused', node.where, `nothing refers to the subnode ${nodeName(nid)}`);
  }
}
