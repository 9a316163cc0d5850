import type { Findings } from '../findings.ts';
import type { RuleName } from '../rules.ts';
import { type PropertyContext, propertyName } from './property-context.ts';
import type { Row, TableContext } from './table-context.ts';

/**
 * Columns that live in rows only, and so have nothing to be compared with: replication state, row id and version,
 * message status ([MS-PST] 2.5.2, 2.5.3: "table only") and the conversation id Outlook gives the row.
 */
const rowOnly = new Set([0x0e17, 0x0e30, 0x0e33, 0x0e34, 0x0e38, 0x0e3c, 0x0e3d, 0x3013, 0x67f1, 0x67f2, 0x67f3]);

/**
 * Compares a row with its object: each is a copy of the object's properties ([MS-PST] 2.4.4.3).
 * An empty value may be missing from either side.
 */
export async function compareRow(
  table: TableContext,
  row: Row,
  object: PropertyContext,
  rule: RuleName,
): Promise<void> {
  const { findings } = table.node.database;
  for (const { id, type } of table.columns) {
    if (rowOnly.has(id)) continue;
    await findings.guard(object.node.where, () => compareCell({ table, row, object, rule, findings }, id, type));
  }
}

interface Comparison {
  table: TableContext;
  row: Row;
  object: PropertyContext;
  rule: RuleName;
  findings: Findings;
}

async function compareCell(
  { table, row, object, rule, findings }: Comparison,
  id: number,
  type: number,
): Promise<void> {
  const where = `${table.node.where}, row of ${object.node.where}`;
  const [cell, property] = [row.cells.get(id), object.properties.get(id)];
  const [cellSize, propertySize] = [cell?.size ?? 0, property?.size ?? 0];
  if (property && property.type !== type) {
    findings.add(
      rule,
      where,
      `${propertyName(id)} is of type 0x${property.type.toString(16)} in the object, of 0x${type.toString(16)} in the table`,
    );
    return;
  }
  if (cellSize !== propertySize) {
    findings.add(
      rule,
      where,
      `${propertyName(id)} has ${cell ? `${cellSize} bytes` : 'no cell'} in the row and ${property ? `${propertySize} bytes` : 'is missing'} in the object`,
    );
    return;
  }
  if (!cell || !property || cellSize === 0) return;
  const [left, right] = [await cell.read(), await property.read()];
  if (!left.equals(right))
    findings.add(
      rule,
      where,
      `${propertyName(id)} differs: ${left.toString('hex', 0, 16)} in the row, ${right.toString('hex', 0, 16)} in the object`,
    );
}
