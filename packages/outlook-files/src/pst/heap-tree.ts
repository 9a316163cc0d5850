import type { Heap, HeapId } from './heap.ts';
import { ALLOCATION_BYTES } from './heap.ts';

export const TREE_HEADER_BYTES = 8;

/**
 * Adds a B-tree on a heap, [MS-PST] 2.3.2, bottom up.
 * @param records sorted, `keyBytes + valueBytes` each
 * @returns the tree's header, which is to be stored as an allocation
 */
export function addHeapTree(heap: Heap, records: Buffer, keyBytes: number, valueBytes: number): Buffer {
  let level = addLevel(heap, records, keyBytes, keyBytes + valueBytes);
  let levels = 0;
  while (level.length > 1) {
    const index = Buffer.concat(level.flatMap(({ key, id }) => [key, heapIdBytes(id)]));
    level = addLevel(heap, index, keyBytes, keyBytes + 4);
    levels += 1;
  }
  const header = Buffer.alloc(TREE_HEADER_BYTES);
  header.writeUInt8(0xb5, 0);
  header.writeUInt8(keyBytes, 1);
  header.writeUInt8(valueBytes, 2);
  header.writeUInt8(levels, 3);
  header.writeUInt32LE(level[0]?.id ?? 0, 4);
  return header;
}

function addLevel(heap: Heap, records: Buffer, keyBytes: number, recordBytes: number): { key: Buffer; id: HeapId }[] {
  const most = Math.floor(ALLOCATION_BYTES / recordBytes) * recordBytes;
  const added: { key: Buffer; id: HeapId }[] = [];
  for (let from = 0; from < records.length; from += most) {
    const part = records.subarray(from, from + most);
    added.push({ key: part.subarray(0, keyBytes), id: heap.add(part) });
  }
  return added;
}

function heapIdBytes(id: HeapId): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(id);
  return bytes;
}
