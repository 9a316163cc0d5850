import type { RuleName } from '../../rules.ts';
import type { NodeModel, Property, RowModel } from '../content.ts';
import type { BuildOptions } from '../pst-builder.ts';
import type { PstImage } from '../pst-image.ts';

/** One way to break the sample, and the rules that must notice. */
export interface Breakage {
  rule: RuleName;
  /** What was done, as the name of the test. */
  what: string;
  /** Rules that are broken along with it; 'more' where so much becomes unreadable that they do not matter. */
  also?: RuleName[] | 'more';
  options?: BuildOptions;
  /** Changes the nodes before the file is built. */
  nodes?: (nodes: NodeModel[]) => void;
  /** Changes the built file. */
  image?: (image: PstImage) => void;
}

/** A node by its id, and its subnodes by the ids that follow. */
export function find(nodes: NodeModel[], ...path: number[]): NodeModel {
  let level = nodes;
  let found: NodeModel | undefined;
  for (const nid of path) {
    found = level.find((node) => node.nid === nid);
    level = found?.subnodes ?? [];
  }
  if (!found) throw new Error(`The sample has no node ${path.join(' / ')}.`);
  return found;
}

/** The properties of a node, to be changed in place. */
export function properties(nodes: NodeModel[], ...path: number[]): Property[] {
  const { content } = find(nodes, ...path);
  if (content.kind !== 'properties') throw new Error(`Node ${path.join(' / ')} has no properties.`);
  return content.properties;
}

/** The table of a node, to be changed in place. */
export function table(
  nodes: NodeModel[],
  ...path: number[]
): { columns: { id: number; type: number }[]; rows: RowModel[] } {
  const { content } = find(nodes, ...path);
  if (content.kind !== 'table') throw new Error(`Node ${path.join(' / ')} is no table.`);
  return content;
}

/** Takes the element with this id out of a list of nodes' properties, cells or columns. */
export function remove<Element extends { id: number }>(list: Element[], id: number): void {
  const index = list.findIndex((element) => element.id === id);
  if (index < 0) throw new Error(`There is no ${id} to remove.`);
  list.splice(index, 1);
}

/** Puts a property in the place of the one with the same id, or in order among the others. */
export function put(list: Property[], property: Property): void {
  const index = list.findIndex(({ id }) => id === property.id);
  if (index >= 0) list[index] = property;
  else list.push(property);
  list.sort((left, right) => left.id - right.id);
}

/** Takes a top-level node out. */
export function removeNode(nodes: NodeModel[], nid: number): void {
  const index = nodes.findIndex((node) => node.nid === nid);
  nodes.splice(index, 1);
}

/** The cells of a row. */
export function cells(rows: RowModel[], id: number): Property[] {
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new Error(`There is no row ${id}.`);
  return row.cells;
}

/** An allocation of the heap in a block, counted from zero, or from the last with negative numbers. */
export function allocation(block: Buffer, index: number): Buffer {
  const map = block.readUInt16LE(0);
  const place = index < 0 ? block.readUInt16LE(map) + index : index;
  return block.subarray(block.readUInt16LE(map + 4 + 2 * place), block.readUInt16LE(map + 6 + 2 * place));
}

/** Exchanges two records of the same size. */
export function swap(bytes: Buffer, size: number, left: number, right: number): void {
  const first = Buffer.from(bytes.subarray(left * size, (left + 1) * size));
  bytes.copy(bytes, left * size, right * size, (right + 1) * size);
  first.copy(bytes, right * size);
}
