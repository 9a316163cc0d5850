/** A property with its value as stored. */
export interface Property {
  id: number;
  type: number;
  value: Buffer;
}

/** A row of a table: its id and the cells that exist, the row id and version aside. */
export interface RowModel {
  id: number;
  version: number;
  cells: Property[];
}

/** What the data of a node is made of. */
export type Content =
  | { kind: 'properties'; properties: Property[] }
  | { kind: 'table'; columns: { id: number; type: number }[]; rows: RowModel[] }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'blocks'; blocks: Buffer[] };

/** A node of the file to build. Nodes with the same content object share its blocks. */
export interface NodeModel {
  nid: number;
  parent: number;
  content: Content;
  subnodes: NodeModel[];
}

export function text(id: number, value: string): Property {
  return { id, type: 0x001f, value: Buffer.from(value, 'utf16le') };
}

export function integer(id: number, value: number): Property {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return { id, type: 0x0003, value: bytes };
}

export function bool(id: number, value: boolean): Property {
  return { id, type: 0x000b, value: Buffer.from([value ? 1 : 0]) };
}

export function time(id: number, value: bigint): Property {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return { id, type: 0x0040, value: bytes };
}

export function binary(id: number, value: Buffer): Property {
  return { id, type: 0x0102, value };
}

/** A property that refers to a subnode and its size. */
export function object(id: number, nid: number, size: number): Property {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(nid, 0);
  bytes.writeUInt32LE(size, 4);
  return { id, type: 0x000d, value: bytes };
}

/** A node with a property context. */
export function propertyNode(
  nid: number,
  parent: number,
  properties: Property[],
  subnodes: NodeModel[] = [],
): NodeModel {
  return { nid, parent, content: { kind: 'properties', properties }, subnodes };
}

/** A node with a table context. */
export function tableNode(
  nid: number,
  columns: readonly (readonly [number, number])[],
  rows: RowModel[] = [],
): NodeModel {
  return {
    nid,
    parent: 0,
    content: { kind: 'table', columns: columns.map(([id, type]) => ({ id, type })), rows },
    subnodes: [],
  };
}

/** A node with plain data. */
export function bytesNode(nid: number, bytes: Buffer): NodeModel {
  return { nid, parent: 0, content: { kind: 'bytes', bytes }, subnodes: [] };
}
