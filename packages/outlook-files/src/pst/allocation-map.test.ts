import { describe, expect, it } from 'vitest';
import { outlookCrc } from '../crc.ts';
import {
  countFreeSlots,
  markSlots,
  PAGE_BODY_BYTES,
  PAGE_BYTES,
  SECTION_BYTES,
  sectionHeadBytes,
  sectionPosition,
  writeMapPages,
} from './allocation-map.ts';

/** Type and id of each map page at the head of a section. */
function headPages(section: number): { type: number; id: bigint }[] {
  const body = Buffer.alloc(sectionHeadBytes(section));
  writeMapPages(body, section, new Uint8Array(PAGE_BODY_BYTES));
  return Array.from({ length: body.length / PAGE_BYTES }, (_, index) => {
    const page = body.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES);
    expect(page.readUInt32LE(500)).toBe(outlookCrc(page.subarray(0, PAGE_BODY_BYTES)));
    return { type: page.readUInt8(496), id: page.readBigUInt64LE(504) };
  });
}

const [FREE_MAP, PAGE_MAP, ALLOCATION_MAP, FREE_PAGE_MAP] = [0x82, 0x83, 0x84, 0x85];

describe('the maps of a PST', () => {
  it('begin each 248 KiB with an allocation map whose id is its position', () => {
    expect(headPages(0)[0]).toEqual({ type: ALLOCATION_MAP, id: 0x4400n });
    expect(headPages(1)).toEqual([{ type: ALLOCATION_MAP, id: 0x42400n }]);
    expect(SECTION_BYTES).toBe(253_952);
  });

  it.each([
    [0, [ALLOCATION_MAP, PAGE_MAP]],
    [7, [ALLOCATION_MAP]],
    [8, [ALLOCATION_MAP, PAGE_MAP]],
    [128, [ALLOCATION_MAP, PAGE_MAP, FREE_MAP]],
    [128 + 496, [ALLOCATION_MAP, PAGE_MAP, FREE_MAP]],
    [8_192, [ALLOCATION_MAP, PAGE_MAP, FREE_PAGE_MAP]],
    [8_192 + 31_744, [ALLOCATION_MAP, PAGE_MAP, FREE_PAGE_MAP]],
  ])('have in section %i the deprecated maps old versions look for there', (section, types) => {
    expect(headPages(section).map((page) => page.type)).toEqual(types);
  });

  it('are at the right places beyond 4 GiB', () => {
    const section = 20_000;
    expect(sectionPosition(section)).toBe(0x4400 + 20_000 * 253_952);
    expect(headPages(section)[0]?.id).toBe(BigInt(sectionPosition(section)));
  });

  it('count slots that are not allocated as free', () => {
    const used = new Uint8Array(PAGE_BODY_BYTES);
    markSlots(used, 0, 640, true);
    expect(used.subarray(0, 2)).toEqual(Uint8Array.of(0xff, 0xc0));
    expect(countFreeSlots(used)).toBe(3_968 - 10);
    markSlots(used, 64, 128, false);
    expect(countFreeSlots(used)).toBe(3_968 - 9);
  });
});
