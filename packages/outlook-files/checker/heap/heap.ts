import { hex } from '../binary.ts';
import { mostBlockData } from '../blocks.ts';
import { Damage, type Findings } from '../findings.ts';
import type { NodeContent } from '../node-content.ts';

/** The most bytes of one allocation. */
export const mostAllocation = 3580;

/** bClientSig of the structures a heap can carry. */
export const clientSignature = { tableContext: 0x7c, propertyContext: 0xbc } as const;

interface HeapBlock {
  bytes: Buffer;
  /** Where the allocations begin; one more entry than there are allocations. */
  offsets: number[];
}

/** A Heap-on-Node ([MS-PST] 2.3.1): the small pieces of a property or table context. */
export class Heap {
  readonly where: string;
  readonly clientSignature: number;
  /** HID of the structure on top. */
  readonly root: number;
  readonly #blocks: HeapBlock[];

  private constructor(where: string, clientSignature: number, root: number, blocks: HeapBlock[]) {
    this.where = where;
    this.clientSignature = clientSignature;
    this.root = root;
    this.#blocks = blocks;
  }

  /** Reads the heap of a node and checks headers, page maps and fill levels. */
  static async open(node: NodeContent): Promise<Heap> {
    const { where, database } = node;
    const blocks = [];
    for (const bid of await node.dataBlocks()) {
      const bytes = await node.readBlock(bid);
      blocks.push({ bytes, offsets: readPageMap(bytes, blocks.length, where, database.findings) });
    }
    const first = blocks[0]?.bytes;
    if (!first) throw new Damage('heap-header', where, 'the node has no data, so there is no heap');
    if (first.readUInt8(2) !== 0xec)
      throw new Damage('heap-header', where, `bSig is ${hex(first.readUInt8(2))}, not 0xEC`);
    checkFillLevels(blocks, where, database.findings);
    return new Heap(where, first.readUInt8(3), first.readUInt32LE(4), blocks);
  }

  /** The bytes of an allocation. A HID that names none, or a freed one, is damage. */
  read(hid: number): Buffer {
    const block = this.#blocks[hid >>> 16];
    const index = ((hid >>> 5) & 0x7ff) - 1;
    const begin = block?.offsets[index];
    const end = block?.offsets[index + 1];
    if ((hid & 0x1f) !== 0 || !block || begin === undefined || end === undefined)
      throw new Damage('heap-reference', this.where, `HID ${hex(hid)} names no allocation`);
    if (begin === end)
      throw new Damage(
        'heap-empty-value',
        this.where,
        `HID ${hex(hid)} names a freed allocation; an empty value has the HID zero`,
      );
    return block.bytes.subarray(begin, end);
  }
}

/** Size of the header of the heap's block `index`: HNHDR, HNBITMAPHDR (block 8 and each 128) or HNPAGEHDR. */
function headerSize(index: number): number {
  if (index === 0) return 12;
  return index % 128 === 8 ? 66 : 2;
}

function readPageMap(bytes: Buffer, index: number, where: string, findings: Findings): number[] {
  const place = `${where}, heap block ${index}`;
  const map = bytes.readUInt16LE(0);
  if (map % 2 !== 0) findings.add('heap-page-map', place, `ibHnpm ${map} is not a multiple of 2`);
  const count = bytes.readUInt16LE(map);
  if (map + 4 + 2 * (count + 1) > bytes.length)
    throw new Damage(
      'heap-page-map',
      place,
      `a page map at ${map} with ${count} allocations does not fit ${bytes.length} bytes`,
    );
  const offsets = Array.from({ length: count + 1 }, (_, entry) => bytes.readUInt16LE(map + 4 + 2 * entry));
  checkOffsets(offsets, headerSize(index), map, place, findings);
  // Old files have empty values of recipient tables as allocations of no bytes, outside cFree; the repair tool of today rejects both.
  const freed = offsets.filter((offset, entry) => offset === offsets[entry + 1]).length;
  if (bytes.readUInt16LE(map + 2) !== freed)
    findings.add('heap-free-count', place, `cFree is ${bytes.readUInt16LE(map + 2)}, ${freed} allocations are empty`);
  return offsets;
}

function checkOffsets(offsets: number[], first: number, map: number, place: string, findings: Findings): void {
  for (const [entry, offset] of offsets.entries()) {
    const previous = offsets[entry - 1] ?? first;
    if (offset < previous || (entry === 0 && offset !== first))
      throw new Damage('heap-allocation', place, `allocation ${entry} begins at ${offset}, after ${previous}`);
    if (entry > 0 && offset - previous > mostAllocation)
      findings.add(
        'heap-allocation',
        place,
        `allocation ${entry - 1} has ${offset - previous} bytes, more than ${mostAllocation}`,
      );
  }
  // The map begins on an even offset, so one byte may be between; Outlook's repair tool rejects any greater gap.
  const gap = map - (offsets.at(-1) ?? 0);
  if (gap !== 0 && gap !== 1)
    findings.add(
      'heap-page-map',
      place,
      `the last allocation ends at ${offsets.at(-1)}, the page map begins at ${map}`,
    );
}

/** The least number of free bytes for each fill level, from 0 to 14; below the last the block counts as full. */
const leastFree = [3584, 2560, 2048, 1792, 1536, 1280, 1024, 768, 512, 256, 128, 64, 32, 16, 8];

/** The fill level ([MS-PST] 2.3.1.2) of a block with so many free bytes. */
function fillLevel(free: number): number {
  const level = leastFree.findIndex((least) => free >= least);
  return level < 0 ? 15 : level;
}

function checkFillLevels(blocks: HeapBlock[], where: string, findings: Findings): void {
  for (let index = 0; index < blocks.length; index++) {
    if (headerSize(index) === 2) continue;
    const levels = index === 0 ? blocks[0]?.bytes.subarray(8, 12) : blocks[index]?.bytes.subarray(2, 66);
    for (let nibble = 0; nibble < (levels?.length ?? 0) * 2; nibble++) {
      const level = ((levels?.readUInt8(nibble >> 1) ?? 0) >> (4 * (nibble % 2))) & 0xf;
      const block = blocks[index + nibble];
      const expected = block ? fillLevel(freeBytes(block)) : 0;
      // Outlook marks a block as fuller than it is once an allocation did not fit; it must never promise too much room.
      if (block ? level < expected : level !== 0)
        findings.add(
          'heap-fill-level',
          `${where}, heap block ${index + nibble}`,
          `the fill level is ${level}, the free bytes ask for ${expected}`,
        );
    }
  }
}

function freeBytes({ bytes, offsets }: HeapBlock): number {
  const pageMap = 4 + 2 * offsets.length;
  return mostBlockData - bytes.readUInt16LE(0) - pageMap;
}
