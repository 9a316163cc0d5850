import { outlookCrc } from '../crc.ts';

/** A page of the file, [MS-PST] 2.2.2.7. */
export const PAGE_BYTES = 512;
/** Room in a page before its trailer. */
export const PAGE_BODY_BYTES = 496;
/** The unit of allocation: one bit of an allocation map. */
export const SLOT_BYTES = 64;
/** What one allocation map covers, itself included. The file is a row of such sections. */
export const SECTION_BYTES = PAGE_BODY_BYTES * 8 * SLOT_BYTES;
export const SECTION_SLOTS = PAGE_BODY_BYTES * 8;
/** Where the first section begins; the header and the density list come before it. */
export const FIRST_SECTION_POSITION = 0x4400;
export const DENSITY_LIST_POSITION = 0x4200;

const PAGE_TYPE = { freeMap: 0x82, pageMap: 0x83, allocationMap: 0x84, freePageMap: 0x85 } as const;

// Deprecated maps: old versions of Outlook and the repair tool still expect them at their places.
// How much of each the header itself covers and how much a page covers follows from their sizes: [MS-PST] 2.2.2.7.3 to 2.2.2.7.6.
const SECTIONS_PER_PAGE_MAP = 8;
const FIRST_FREE_MAP = 128;
const SECTIONS_PER_FREE_MAP = PAGE_BODY_BYTES;
const FIRST_FREE_PAGE_MAP = 128 * 64;
const SECTIONS_PER_FREE_PAGE_MAP = PAGE_BODY_BYTES * 64;

export function sectionPosition(section: number): number {
  return FIRST_SECTION_POSITION + section * SECTION_BYTES;
}

/** The map pages a section begins with, in order. */
function mapPages(section: number): number[] {
  const pages: number[] = [PAGE_TYPE.allocationMap];
  if (section % SECTIONS_PER_PAGE_MAP === 0) {
    pages.push(PAGE_TYPE.pageMap);
  }
  if (section >= FIRST_FREE_MAP && (section - FIRST_FREE_MAP) % SECTIONS_PER_FREE_MAP === 0) {
    pages.push(PAGE_TYPE.freeMap);
  }
  if (section >= FIRST_FREE_PAGE_MAP && (section - FIRST_FREE_PAGE_MAP) % SECTIONS_PER_FREE_PAGE_MAP === 0) {
    pages.push(PAGE_TYPE.freePageMap);
  }
  return pages;
}

/** Bytes at the start of a section that its maps occupy. */
export function sectionHeadBytes(section: number): number {
  return mapPages(section).length * PAGE_BYTES;
}

/** Writes a page's trailer over its last 16 bytes. Map pages carry no signature and their own position as id. */
export function writePageTrailer(page: Uint8Array, type: number, signature: number, id: number): void {
  const view = new DataView(page.buffer, page.byteOffset, PAGE_BYTES);
  view.setUint8(496, type);
  view.setUint8(497, type);
  view.setUint16(498, signature, true);
  view.setUint32(500, outlookCrc(page.subarray(0, PAGE_BODY_BYTES)), true);
  view.setBigUint64(504, BigInt(id), true);
}

/**
 * Writes the map pages at the head of a section.
 * @param body the section's bytes, from its first page on
 * @param used a bit a slot, the highest bit of a byte first
 */
export function writeMapPages(body: Uint8Array, section: number, used: Uint8Array): void {
  mapPages(section).forEach((type, index) => {
    const page = body.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES);
    if (type === PAGE_TYPE.allocationMap) {
      page.set(used);
    } else {
      page.fill(0xff, 0, PAGE_BODY_BYTES); // the deprecated maps mark everything as allocated, so that no program allocates by them
    }
    writePageTrailer(page, type, 0, sectionPosition(section) + index * PAGE_BYTES);
  });
}

/** Marks the slots of `[start, end)`, in bytes from the section's start, as allocated or free. */
export function markSlots(used: Uint8Array, start: number, end: number, isAllocated: boolean): void {
  const last = end / SLOT_BYTES;
  for (let slot = start / SLOT_BYTES; slot < last; ) {
    const isWholeByte = (slot & 7) === 0 && slot + 8 <= last;
    const bits = isWholeByte ? 0xff : 0x80 >>> (slot & 7);
    const byte = slot >>> 3;
    used[byte] = isAllocated ? (used[byte] ?? 0) | bits : (used[byte] ?? 0) & ~bits;
    slot += isWholeByte ? 8 : 1;
  }
}

export function countFreeSlots(used: Uint8Array): number {
  let free = SECTION_SLOTS;
  for (const byte of used) {
    for (let rest = byte; rest !== 0; rest &= rest - 1) {
      free -= 1;
    }
  }
  return free;
}
