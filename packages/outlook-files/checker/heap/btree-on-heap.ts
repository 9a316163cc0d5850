import { hex } from '../binary.ts';
import { Damage, type Findings } from '../findings.ts';
import type { Heap } from './heap.ts';

/** The shape a BTH must have. */
export interface RecordSizes {
  key: number;
  data: number;
}

/**
 * All records of a BTree-on-Heap ([MS-PST] 2.3.2), key and data together, in the order of the keys.
 *
 * @param hid the HID of the BTHHEADER
 */
export function readRecords(heap: Heap, hid: number, sizes: RecordSizes, findings: Findings): Buffer[] {
  const header = heap.read(hid);
  const [type, key, data, levels] = [
    header.readUInt8(0),
    header.readUInt8(1),
    header.readUInt8(2),
    header.readUInt8(3),
  ];
  if (header.length !== 8 || type !== 0xb5 || key !== sizes.key || data !== sizes.data)
    throw new Damage(
      'bth-header',
      heap.where,
      `bType ${hex(type)}, cbKey ${key}, cbEnt ${data}; 0xB5, ${sizes.key} and ${sizes.data} belong here`,
    );
  const root = header.readUInt32LE(4);
  if (root === 0) return [];
  const records = readLevel(heap, root, levels, sizes, findings);
  for (const [index, record] of records.entries()) {
    const previous = records[index - 1];
    if (previous && readKey(record, sizes) <= readKey(previous, sizes))
      findings.add(
        'bth-key-order',
        heap.where,
        `key ${hex(readKey(record, sizes))} does not follow ${hex(readKey(previous, sizes))}`,
      );
  }
  return records;
}

function readKey(record: Buffer, sizes: RecordSizes): number {
  return record.readUIntLE(0, sizes.key);
}

function readLevel(heap: Heap, hid: number, level: number, sizes: RecordSizes, findings: Findings): Buffer[] {
  if (level > 8) throw new Damage('bth-header', heap.where, `bIdxLevels ${level} is more than any tree needs`);
  const size = level === 0 ? sizes.key + sizes.data : sizes.key + 4;
  const allocation = heap.read(hid);
  if (allocation.length % size !== 0)
    throw new Damage(
      'bth-record',
      heap.where,
      `${allocation.length} bytes at HID ${hex(hid)} are no whole number of records of ${size} bytes`,
    );
  const records = Array.from({ length: allocation.length / size }, (_, index) =>
    allocation.subarray(index * size, (index + 1) * size),
  );
  if (level === 0) return records;
  return records.flatMap((record) => {
    const below = readLevel(heap, record.readUInt32LE(sizes.key), level - 1, sizes, findings);
    if (below[0] && readKey(below[0], sizes) !== readKey(record, sizes))
      findings.add('bth-record', heap.where, `index key ${hex(readKey(record, sizes))} is not the first key below it`);
    return below;
  });
}
