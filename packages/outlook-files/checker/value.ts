import { hex } from './binary.ts';
import { Damage, type Findings } from './findings.ts';
import type { Heap } from './heap/heap.ts';
import type { NodeContent } from './node-content.ts';

/** Property types ([MS-OXCDATA] 2.11.1) whose values have a fixed size, with that size in bytes. */
const fixedSizes = new Map([
  [0x0002, 2],
  [0x0003, 4],
  [0x0004, 4],
  [0x0005, 8],
  [0x0006, 8],
  [0x0007, 8],
  [0x000a, 4],
  [0x000b, 1],
  [0x0014, 8],
  [0x0040, 8],
  [0x0048, 16],
]);
const variableTypes = new Set([0x000d, 0x001e, 0x001f, 0x0102]);
/** The bit that makes a type an array of its base type. */
const multiple = 0x1000;
export const objectType = 0x000d;
export const stringType = 0x001f;
export const binaryType = 0x0102;

/** Size of one value of `type` in bytes, or undefined where it varies. */
export function fixedSize(type: number): number | undefined {
  return fixedSizes.get(type);
}

/** Whether `type` is one a property may have. */
export function isPropertyType(type: number): boolean {
  const base = type & ~multiple;
  if (type & multiple)
    return (
      base !== objectType && base !== 0x000a && base !== 0x000b && (fixedSizes.has(base) || variableTypes.has(base))
    );
  return fixedSizes.has(type) || variableTypes.has(type);
}

/** Where a value is: in its record, in the heap, or in a subnode. */
export interface Value {
  type: number;
  /** Bytes of the value; of one of type PtypObject those of its 8 byte reference. */
  size: number;
  /** The bytes. Values in subnodes are read only when asked for. */
  read: () => Promise<Buffer> | Buffer;
}

/**
 * The value an HNID refers to ([MS-PST] 2.3.3.2), with its size and form checked. Zero is an empty value.
 *
 * @param label how findings name the property
 */
export async function resolve(
  node: NodeContent,
  heap: Heap,
  type: number,
  hnid: number,
  label: string,
): Promise<Value> {
  const value = await locate(node, heap, type, hnid);
  await checkForm(value, label, node);
  return value;
}

async function locate(node: NodeContent, heap: Heap, type: number, hnid: number): Promise<Value> {
  if (hnid === 0) return { type, size: 0, read: () => Buffer.alloc(0) };
  if ((hnid & 0x1f) !== 0) return { type, size: await node.subnodeSize(hnid), read: () => node.readSubnode(hnid) };
  const bytes = heap.read(hnid);
  return { type, size: bytes.length, read: () => bytes };
}

async function checkForm(value: Value, label: string, node: NodeContent): Promise<void> {
  const { findings } = node.database;
  const size = fixedSize(value.type);
  if (size !== undefined && value.size !== size)
    findings.add('property-size', node.where, `${label} has ${value.size} bytes, its type ${size}`);
  if (value.type === stringType && value.size % 2 !== 0)
    findings.add('property-size', node.where, `${label} is a Unicode string of ${value.size} bytes`);
  if (value.type === objectType) await checkObject(value, label, node);
  if (value.type & multiple && value.size > 0) await checkMultiple(value, label, node.where, findings);
}

async function checkObject(value: Value, label: string, node: NodeContent): Promise<void> {
  if (value.size !== 8)
    throw new Damage('property-object', node.where, `${label} has ${value.size} bytes, a node id and a size have 8`);
  const nid = (await value.read()).readUInt32LE(0);
  if (!node.subnodes.has(nid))
    throw new Damage('property-object', node.where, `${label} refers to ${hex(nid)}, which is none of the subnodes`);
  node.used.add(nid);
}

async function checkMultiple(value: Value, label: string, where: string, findings: Findings): Promise<void> {
  const element = fixedSize(value.type & ~multiple);
  if (element !== undefined) {
    if (value.size % element !== 0)
      findings.add(
        'property-multiple',
        where,
        `${label} has ${value.size} bytes, no whole number of values of ${element}`,
      );
    return;
  }
  const bytes = await value.read();
  const count = bytes.readUInt32LE(0);
  if (4 + 4 * count > bytes.length)
    throw new Damage('property-multiple', where, `${label} counts ${count} values in ${bytes.length} bytes`);
  const offsets = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(4 + 4 * index));
  if (
    offsets.some((offset, index) => offset < (offsets[index - 1] ?? 4 + 4 * count) || offset > bytes.length) ||
    (count > 0 && offsets[0] !== 4 + 4 * count)
  )
    findings.add(
      'property-multiple',
      where,
      `${label}: the offsets ${offsets.join(', ')} do not divide ${bytes.length} bytes`,
    );
}
