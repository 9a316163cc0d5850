import { hex } from './binary.ts';
import type { Findings } from './findings.ts';
import { firstMap, type Header, mapInterval } from './header.ts';
import { pageSize, pageType, readPage } from './page.ts';
import type { PstFile } from './pst-file.ts';

/** The smallest unit of allocation, in bytes: one bit of an allocation map. */
const slotSize = 64;
const slotsPerMap = mapInterval / slotSize;

/** What the structures of the file occupy, one bit for each 64 bytes, to be compared with the allocation maps. */
export class Allocation {
  readonly #slots: Buffer;
  readonly #findings: Findings;

  constructor(fileSize: number, findings: Findings) {
    this.#slots = Buffer.alloc(Math.ceil(Math.max(0, fileSize - firstMap) / slotSize / 8));
    this.#findings = findings;
  }

  /** Says that a page or block occupies `size` bytes at `ib`. Pieces outside the data section are ignored (other rules report them). */
  claim(ib: number, size: number, where: string): void {
    const first = Math.floor((ib - firstMap) / slotSize);
    const end = Math.ceil((ib + size - firstMap) / slotSize);
    let overlaps = false;
    for (let slot = Math.max(0, first); slot < Math.min(end, this.#slots.length * 8); slot++) {
      const bit = 0x80 >> (slot % 8);
      const byte = this.#slots.readUInt8(slot >> 3);
      overlaps ||= (byte & bit) !== 0;
      this.#slots.writeUInt8(byte | bit, slot >> 3);
    }
    if (overlaps)
      this.#findings.add('allocation-overlap', where, 'occupies bytes that another page or block occupies too');
  }

  /** The bits claimed in the section of map `index`. */
  section(index: number): Buffer {
    return this.#slots.subarray(index * (slotsPerMap / 8), (index + 1) * (slotsPerMap / 8));
  }
}

/** Offsets of the map pages at the beginning of section `index`, after its allocation map, by page type. */
function mapsOfSection(index: number): { type: number; ib: number }[] {
  // The intervals: a PMap each 8 AMaps, an FMap from the 129th and each 496, an FPMap from the 8193rd and each 31,744
  // (the header's rgbFM and rgbFP cover the sections before). They follow each other without a gap.
  const types: number[] = [pageType.allocationMap];
  if (index % 8 === 0) types.push(pageType.pageMap);
  if (index >= 128 && (index - 128) % 496 === 0) types.push(pageType.freeMap);
  if (index >= 8192 && (index - 8192) % 31_744 === 0) types.push(pageType.freePageMap);
  return types.map((type, place) => ({ type, ib: firstMap + index * mapInterval + place * pageSize }));
}

/** Checks presence and trailer of every map page and claims their space. */
export async function claimMaps(file: PstFile, allocation: Allocation, findings: Findings): Promise<void> {
  for (let index = 0; index < sectionCount(file); index++) {
    for (const { type, ib } of mapsOfSection(index)) {
      allocation.claim(ib, pageSize, `map page at ${hex(ib)}`);
      await findings.guard(hex(ib), () => readPage(file, findings, type, ib, ib));
    }
  }
}

function sectionCount(file: PstFile): number {
  return Math.floor((file.size - firstMap) / mapInterval);
}

/**
 * Compares the allocation maps with what was claimed, after all pages and blocks have been.
 * Also compares the sums and longest runs of free space recorded elsewhere: ROOT, free maps, density list.
 */
export async function checkAllocation(
  file: PstFile,
  header: Header,
  allocation: Allocation,
  findings: Findings,
): Promise<void> {
  const free: number[] = [];
  const longestRuns: number[] = [];
  for (let index = 0; index < sectionCount(file); index++) {
    const ib = firstMap + index * mapInterval;
    const bits = (await file.read(ib, pageSize)).subarray(0, slotsPerMap / 8);
    compareSection(bits, allocation.section(index), ib, findings);
    const runs = freeRuns(bits);
    free.push(runs.total);
    longestRuns.push(runs.longest);
  }
  const freeSpace = free.reduce((sum, slots) => sum + slots * slotSize, 0);
  if (header.freeSpace !== freeSpace)
    findings.add(
      'root-free-space',
      'root',
      `cbAMapFree is ${header.freeSpace}, the allocation maps leave ${freeSpace} bytes free`,
    );
  await checkPageMaps(file, allocation, findings);
  await checkFreeMaps(file, header, longestRuns, findings);
  await checkDensityList(file, free, findings);
}

/** Bits no structure answers are lost space. Files that were worked on may have some left from freed blocks; a new file has none. */
function compareSection(bits: Buffer, claimed: Buffer, ib: number, findings: Findings): void {
  if (bits.equals(claimed)) return;
  for (let byte = 0; byte < bits.length; byte++) {
    const stated = bits.readUInt8(byte);
    const used = claimed.readUInt8(byte);
    if (stated === used) continue;
    const where = `${hex(ib + byte * 8 * slotSize)} (allocation map at ${hex(ib)}, byte ${byte})`;
    if ((used & ~stated) !== 0)
      findings.add('allocation-missing', where, `bits ${hex(used & ~stated)} are used but not marked as allocated`);
    if ((stated & ~used) !== 0)
      findings.add(
        'allocation-leaked',
        where,
        `bits ${hex(stated & ~used)} are marked as allocated but nothing uses them`,
      );
  }
}

function freeRuns(bits: Buffer): { total: number; longest: number } {
  let total = 0;
  let longest = 0;
  let run = 0;
  for (const byte of bits) {
    for (let mask = 0x80; mask > 0; mask >>= 1) {
      run = (byte & mask) === 0 ? run + 1 : 0;
      if (run > 0) total++;
      if (run > longest) longest = run;
    }
  }
  return { total, longest };
}

/** A zero bit of a page map offers its page to the next writer, so nothing may use that page yet. */
async function checkPageMaps(file: PstFile, allocation: Allocation, findings: Findings): Promise<void> {
  for (let index = 0; index < sectionCount(file); index += 8) {
    const ib = firstMap + index * mapInterval + pageSize;
    const page = await file.read(ib, pageSize);
    for (let bit = 0; bit < slotsPerMap; bit++) {
      if ((page.readUInt8(bit >> 3) & (0x80 >> (bit % 8))) !== 0) continue;
      const section = allocation.section(index + Math.floor(bit / (slotsPerMap / 8)));
      if (section.length > 0 && section.readUInt8(bit % (slotsPerMap / 8)) !== 0)
        findings.add('page-map-free-page', `page map at ${hex(ib)}`, `offers page ${bit}, which is used`);
    }
  }
}

/** Each byte is the longest free run of its section, or 0xFF ("unknown or at least 255"). */
async function checkFreeMaps(file: PstFile, header: Header, longestRuns: number[], findings: Findings): Promise<void> {
  let map = header.freeMap;
  let first = 0;
  for (const [index, longest] of longestRuns.entries()) {
    const place = mapsOfSection(index).find(({ type }) => type === pageType.freeMap);
    if (place) {
      map = await file.read(place.ib, pageSize);
      first = index;
    }
    const value = map.readUInt8(index - first);
    if (value !== 0xff && value !== Math.min(0xff, longest))
      findings.add(
        'free-map-value',
        `free map, section ${index}`,
        `says ${value} free slots in a row, there are ${longest}`,
      );
  }
}

/**
 * The density list is optional, and its place may be overwritten at any time ([MS-PST] 2.2.2.7.4): a page of another
 * type says nothing, nor does one whose checksum is zero, as Outlook leaves it.
 */
async function checkDensityList(file: PstFile, free: number[], findings: Findings): Promise<void> {
  const page = await file.read(0x4200, pageSize);
  if (page.readUInt8(496) !== pageType.densityList || page.readUInt32LE(500) === 0) return;
  const entries = page.readUInt8(1);
  if (entries > 119 || page.readUInt8(0) > 1) {
    findings.add('density-list', 'density list', `bFlags ${page.readUInt8(0)} or cEntDList ${entries} is out of range`);
    return;
  }
  await findings.guard('density list', () =>
    readPage(file, findings, pageType.densityList, 0x4200, Number(page.readBigUInt64LE(504))),
  );
  for (let entry = 0; entry < entries; entry++) {
    const value = page.readUInt32LE(8 + 4 * entry);
    const [section, slots] = [value & 0xfffff, value >>> 20];
    if (free[section] !== slots)
      findings.add(
        'density-list',
        'density list',
        `entry ${entry} gives section ${section} ${slots} free slots, it has ${free[section] ?? 'no map'}`,
      );
  }
}
