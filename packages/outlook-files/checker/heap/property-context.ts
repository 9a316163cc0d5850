import { hex } from '../binary.ts';
import { Damage } from '../findings.ts';
import type { NodeContent } from '../node-content.ts';
import { fixedSize, isPropertyType, resolve, type Value } from '../value.ts';
import { readRecords } from './btree-on-heap.ts';
import { clientSignature, Heap } from './heap.ts';

/** A Property Context ([MS-PST] 2.3.3): the properties of one object by their ids. */
export class PropertyContext {
  readonly node: NodeContent;
  readonly properties: Map<number, Value>;

  private constructor(node: NodeContent, properties: Map<number, Value>) {
    this.node = node;
    this.properties = properties;
  }

  /** Reads the context of a node and checks every record and where its value is. */
  static async open(node: NodeContent): Promise<PropertyContext> {
    const { findings } = node.database;
    const heap = await Heap.open(node);
    if (heap.clientSignature !== clientSignature.propertyContext)
      throw new Damage('property-context', node.where, `bClientSig is ${hex(heap.clientSignature)}, not 0xBC`);
    const properties = new Map<number, Value>();
    for (const record of readRecords(heap, heap.root, { key: 2, data: 6 }, findings)) {
      const value = await findings.guard(node.where, () => readProperty(node, heap, record));
      if (value) properties.set(record.readUInt16LE(0), value);
    }
    return new PropertyContext(node, properties);
  }

  has(id: number, type?: number): boolean {
    const value = this.properties.get(id);
    return value !== undefined && (type === undefined || value.type === type);
  }

  /** The bytes of a property, or undefined where the object has none. */
  async bytes(id: number): Promise<Buffer | undefined> {
    return await this.properties.get(id)?.read();
  }

  /** A property of at most four bytes as a number. */
  async integer(id: number): Promise<number | undefined> {
    const bytes = await this.bytes(id);
    return bytes && bytes.length > 0 && bytes.length <= 4 ? bytes.readUIntLE(0, bytes.length) : undefined;
  }
}

async function readProperty(node: NodeContent, heap: Heap, record: Buffer): Promise<Value> {
  const [id, type] = [record.readUInt16LE(0), record.readUInt16LE(2)];
  const label = propertyName(id);
  if (!isPropertyType(type))
    throw new Damage('property-type', node.where, `${label} has the type ${hex(type)}, which is none`);
  const size = fixedSize(type);
  if (size === undefined || size > 4) return await resolve(node, heap, type, record.readUInt32LE(4), label);
  const bytes = record.subarray(4, 4 + size);
  if (record.subarray(4 + size, 8).some((byte) => byte !== 0) || (type === 0x000b && bytes.readUInt8(0) > 1))
    node.database.findings.add(
      'property-size',
      node.where,
      `${label} of ${size} bytes is stored as ${hex(record.readUInt32LE(4))}`,
    );
  return { type, size, read: () => bytes };
}

/** How findings name a property. */
export function propertyName(id: number): string {
  return `property 0x${id.toString(16).toUpperCase().padStart(4, '0')}`;
}
