import { hex } from '../binary.ts';
import { Damage, type Findings } from '../findings.ts';
import { fixedSize, isPropertyType } from '../value.ts';
import { propertyName } from './property-context.ts';

/** A TCOLDESC ([MS-PST] 2.3.4.2). */
export interface Column {
  id: number;
  type: number;
  offset: number;
  size: number;
  bit: number;
}

export const rowIdProperty = 0x67f2;
export const rowVersionProperty = 0x67f3;

/** Checks TCINFO and its column descriptors ([MS-PST] 2.3.4.1, 2.3.4.2) and returns the columns. */
export function checkColumns(info: Buffer, where: string, findings: Findings): Column[] {
  const count = info.readUInt8(1);
  if (info.readUInt8(0) !== 0x7c || info.length !== 22 + 8 * count)
    throw new Damage(
      'table-header',
      where,
      `bType ${hex(info.readUInt8(0))} and ${count} columns in ${info.length} bytes are no TCINFO`,
    );
  if (info.readUInt32LE(18) !== 0) findings.add('table-header', where, 'hidIndex is deprecated and must be zero');
  const columns = Array.from({ length: count }, (_, index) => readColumn(info, 22 + 8 * index));
  const groups = [0, 1, 2, 3].map((group) => info.readUInt16LE(2 + 2 * group));
  checkGroups(groups, count, where);
  for (const column of columns) checkColumn(column, groups, count, where);
  checkOrder(columns, where, findings);
  checkPlaces(columns, where, findings);
  checkRowColumns(columns, where, findings);
  return columns;
}

function readColumn(info: Buffer, at: number): Column {
  return {
    type: info.readUInt16LE(at),
    id: info.readUInt16LE(at + 2),
    offset: info.readUInt16LE(at + 4),
    size: info.readUInt8(at + 6),
    bit: info.readUInt8(at + 7),
  };
}

function checkGroups(groups: number[], columns: number, where: string): void {
  const [fours = 0, twos = 0, ones = 0, bitmap = 0] = groups;
  if (fours > twos || twos > ones || bitmap - ones !== Math.ceil(columns / 8) || fours < 8)
    throw new Damage(
      'table-groups',
      where,
      `rgib ${groups.join(', ')} must ascend and leave ${Math.ceil(columns / 8)} bytes to the cell existence block`,
    );
}

function checkColumn(column: Column, groups: number[], count: number, where: string): void {
  const label = `column ${propertyName(column.id)}`;
  if (!isPropertyType(column.type))
    throw new Damage('table-column', where, `${label} has the type ${hex(column.type)}, which is none`);
  const own = fixedSize(column.type);
  const size = own === undefined || own > 8 ? 4 : own;
  if (column.size !== size)
    throw new Damage('table-column', where, `${label} is ${column.size} bytes wide, its type ${size}`);
  if (column.bit >= count)
    throw new Damage('table-column', where, `${label} has the bit ${column.bit} of ${count} columns`);
  const group = size >= 4 ? 0 : size === 2 ? 1 : 2;
  const [begin, end] = [group === 0 ? 0 : (groups[group - 1] ?? 0), groups[group] ?? 0];
  if (column.offset < begin || column.offset + size > end || column.offset % Math.min(size, 4) !== 0)
    throw new Damage('table-column', where, `${label} is at ${column.offset}, its group at ${begin} to ${end}`);
}

function checkOrder(columns: Column[], where: string, findings: Findings): void {
  for (const [index, column] of columns.entries()) {
    const previous = columns[index - 1];
    if (previous && previous.id * 0x10000 + previous.type >= column.id * 0x10000 + column.type)
      findings.add(
        'table-column-order',
        where,
        `column ${propertyName(column.id)} does not follow ${propertyName(previous.id)}`,
      );
  }
}

function checkPlaces(columns: Column[], where: string, findings: Findings): void {
  if (new Set(columns.map(({ bit }) => bit)).size !== columns.length)
    findings.add('table-column', where, 'two columns have the same iBit');
  const byOffset = columns.toSorted((left, right) => left.offset - right.offset);
  for (const [index, column] of byOffset.entries()) {
    const next = byOffset[index + 1];
    if (next && column.offset + column.size > next.offset)
      findings.add('table-column', where, `columns ${propertyName(column.id)} and ${propertyName(next.id)} overlap`);
  }
}

function checkRowColumns(columns: Column[], where: string, findings: Findings): void {
  for (const [place, id] of [rowIdProperty, rowVersionProperty].entries()) {
    const column = columns.find((candidate) => candidate.id === id);
    if (column?.type !== 0x0003 || column.bit !== place || column.offset !== 4 * place)
      findings.add(
        'table-row-columns',
        where,
        `${propertyName(id)} must be a column with iBit ${place} at ${4 * place}`,
      );
  }
}
