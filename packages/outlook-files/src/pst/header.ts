import { outlookCrc } from '../crc.ts';
import {
  DENSITY_LIST_POSITION,
  FIRST_SECTION_POSITION,
  PAGE_BYTES,
  sectionPosition,
  writePageTrailer,
} from './allocation-map.ts';
import type { PageReference } from './btree.ts';
import { signature } from './signature.ts';

export interface HeaderFacts {
  isPermuted: boolean;
  nodeTree: PageReference;
  blockTree: PageReference;
  nextPageId: number;
  nextBlockId: number;
  /** A number that grows with every change; row versions are below it. */
  unique: number;
  nextNodeIndexes: readonly number[];
  lastSection: number;
  endPosition: number;
  freeBytes: number;
  lastFreeSlots: number;
}

const FILE_VERSION = 23;
const CLIENT_VERSION = 19;
const ALLOCATION_MAPS_VALID = 2;
const DENSITY_LIST = 0x86;

/** Everything before the first section: the header ([MS-PST] 2.2.2.6) and the density list (2.2.2.7.4). */
export function fileHead(facts: HeaderFacts): Buffer {
  const head = Buffer.alloc(FIRST_SECTION_POSITION);
  writeHeader(head, facts);
  writeDensityList(head.subarray(DENSITY_LIST_POSITION, DENSITY_LIST_POSITION + PAGE_BYTES), facts);
  return head;
}

function writeHeader(head: Buffer, facts: HeaderFacts): void {
  head.write('!BDN', 0, 'latin1');
  head.write('SM', 8, 'latin1');
  head.writeUInt16LE(FILE_VERSION, 10);
  head.writeUInt16LE(CLIENT_VERSION, 12);
  head.writeUInt8(1, 14);
  head.writeUInt8(1, 15);
  head.writeBigUInt64LE(BigInt(facts.nextPageId + 1), 32); // one more: the density list took the last
  head.writeUInt32LE(facts.unique, 40);
  facts.nextNodeIndexes.forEach((index, type) => {
    head.writeUInt32LE(index, 44 + type * 4);
  });
  writeRoot(head, 180, facts);
  head.fill(0xff, 256, 512); // the free maps for the file's first sections, deprecated
  head.writeUInt8(0x80, 512);
  head.writeUInt8(facts.isPermuted ? 1 : 0, 513);
  head.writeBigUInt64LE(BigInt(facts.nextBlockId), 516);
  head.writeUInt32LE(outlookCrc(head.subarray(8, 8 + 471)), 4);
  head.writeUInt32LE(outlookCrc(head.subarray(8, 8 + 516)), 524);
}

function writeRoot(head: Buffer, at: number, facts: HeaderFacts): void {
  head.writeBigUInt64LE(BigInt(facts.endPosition), at + 4);
  head.writeBigUInt64LE(BigInt(sectionPosition(facts.lastSection)), at + 12);
  head.writeBigUInt64LE(BigInt(facts.freeBytes), at + 20);
  head.writeBigUInt64LE(0n, at + 28); // free space in page maps: they are deprecated and full
  for (const [index, tree] of [facts.nodeTree, facts.blockTree].entries()) {
    head.writeBigUInt64LE(BigInt(tree.id), at + 36 + index * 16);
    head.writeBigUInt64LE(BigInt(tree.position), at + 44 + index * 16);
  }
  head.writeUInt8(ALLOCATION_MAPS_VALID, at + 68);
}

/** Writes which section has free space: the last one. */
function writeDensityList(page: Buffer, facts: HeaderFacts): void {
  const hasRoom = facts.lastFreeSlots > 0;
  page.writeUInt8(1, 0); // the list is complete
  page.writeUInt8(hasRoom ? 1 : 0, 1);
  page.writeUInt32LE(facts.lastSection, 4);
  if (hasRoom) {
    page.writeUInt32LE(((facts.lastFreeSlots << 20) | facts.lastSection) >>> 0, 8);
  }
  writePageTrailer(page, DENSITY_LIST, signature(DENSITY_LIST_POSITION, facts.nextPageId), facts.nextPageId);
}
