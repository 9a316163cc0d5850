import type { Property } from '../mapi/property-bag.ts';
import { fixedBytes, TYPE } from '../mapi/property-types.ts';
import type { BlockId } from './block-store.ts';
import { writeData } from './data-tree.ts';
import { ALLOCATION_BYTES, HEAP_OF, Heap } from './heap.ts';
import { addHeapTree, TREE_HEADER_BYTES } from './heap-tree.ts';
import { NODE_TYPE } from './node-ids.ts';
import type { Store } from './store.ts';
import type { Subnode } from './subnodes.ts';

/** A value whose bytes are in the store already: the content of an attachment, an embedded message. */
export interface StoredValue {
  key: number;
  type: number;
  /** The property's four bytes, or the bytes that go into the heap for it. */
  reference: number | Buffer;
}

export interface WrittenProperties {
  data: BlockId;
  /** Of values too large for the heap. */
  subnodes: Subnode[];
}

const RECORD_BYTES = 8;

interface PropertyRecord {
  id: number;
  type: number;
  /** The value itself, or where it is. */
  value: number;
}

/** Writes an object's properties as a property context, [MS-PST] 2.3.3. */
export function writeProperties(
  store: Store,
  properties: Iterable<Property>,
  stored: readonly StoredValue[] = [],
): WrittenProperties {
  const heap = new Heap(store.blocks, HEAP_OF.properties);
  const subnodes: Subnode[] = [];
  const root = heap.add(Buffer.alloc(TREE_HEADER_BYTES));
  const records: PropertyRecord[] = [];
  for (const property of properties) {
    const value = referenceTo(store, heap, subnodes, property);
    records.push({ id: store.propertyId(property.key), type: property.type, value });
  }
  for (const { key, type, reference } of stored) {
    records.push({ id: key, type, value: typeof reference === 'number' ? reference : heap.add(reference) });
  }
  heap.patchFirst(0, addHeapTree(heap, recordBytes(records), 2, 6));
  return { data: heap.finish(root), subnodes };
}

/** The records in the order of their ids. An object has at most as many as there are ids: 65,536. */
function recordBytes(records: readonly PropertyRecord[]): Buffer {
  // Id and place in one number each: sorted without a function that compares.
  const order = new Uint32Array(records.length);
  records.forEach((record, index) => {
    order[index] = record.id * 0x10000 + index;
  });
  order.sort();
  const bytes = Buffer.allocUnsafe(records.length * RECORD_BYTES);
  let at = 0;
  for (const key of order) {
    const record = records[key & 0xffff];
    if (record !== undefined) {
      bytes.writeUInt16LE(record.id, at);
      bytes.writeUInt16LE(record.type, at + 2);
      bytes.writeUInt32LE(record.value, at + 4);
      at += RECORD_BYTES;
    }
  }
  return bytes;
}

/** The four bytes of a value: itself where it is so small, else where it is. */
function referenceTo(store: Store, heap: Heap, subnodes: Subnode[], property: Property): number {
  const fixed = fixedBytes(property.type);
  if (fixed > 0 && fixed <= 4) {
    return property.number;
  }
  return storeValue(store, heap, subnodes, valueBytes(property));
}

/** Puts a value into the heap or, where it is too large, into a subnode. Returns which; 0 for an empty one. */
export function storeValue(store: Store, heap: Heap, subnodes: Subnode[], bytes: Buffer): number {
  if (bytes.length === 0) {
    return 0;
  }
  if (bytes.length <= ALLOCATION_BYTES) {
    return heap.add(bytes);
  }
  const nodeId = store.nodes.allocateId(NODE_TYPE.value);
  subnodes.push({ nodeId, data: writeData(store.blocks, bytes), subnodes: 0 });
  return nodeId;
}

/** Multiple strings are their count, where each begins, and the strings: [MS-PST] 2.3.3.4.2. */
function valueBytes(property: Property): Buffer {
  if (property.type !== TYPE.multipleString) {
    return property.bytes;
  }
  const parts = property.parts ?? [];
  const head = Buffer.alloc(4 + parts.length * 4);
  head.writeUInt32LE(parts.length);
  let start = head.length;
  parts.forEach((part, index) => {
    head.writeUInt32LE(start, 4 + index * 4);
    start += part.length;
  });
  return Buffer.concat([head, ...parts]);
}

/** Sum of the bytes of all values: Outlook's size of an attachment. */
export function sizeOfValues(properties: Iterable<Property>): number {
  let bytes = 0;
  for (const property of properties) {
    bytes += fixedBytes(property.type) || property.bytes.length;
    for (const part of property.parts ?? []) {
      bytes += part.length;
    }
  }
  return bytes;
}
