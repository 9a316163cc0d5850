import { checksum, hex, readUInt64, signature } from './binary.ts';
import { Damage, type Findings } from './findings.ts';
import type { PstFile } from './pst-file.ts';

/** Size of every page, in bytes; the last 16 are the PAGETRAILER. */
export const pageSize = 512;

/** The ptype values of [MS-PST] 2.2.2.7.1. */
export const pageType = {
  blockTree: 0x80,
  nodeTree: 0x81,
  freeMap: 0x82,
  pageMap: 0x83,
  allocationMap: 0x84,
  freePageMap: 0x85,
  densityList: 0x86,
} as const;

/** Whether a page of this type carries its own file offset instead of a block id, and no signature. */
function isMap(type: number): boolean {
  return type >= pageType.freeMap && type <= pageType.freePageMap;
}

/**
 * Reads the page at `ib` and checks its trailer ([MS-PST] 2.2.2.7.1).
 * A page of another type is damage: what hangs below it cannot be known.
 *
 * @param bid the id the referring structure states; for map pages the offset itself
 */
export async function readPage(
  file: PstFile,
  findings: Findings,
  type: number,
  ib: number,
  bid: number,
): Promise<Buffer> {
  const where = `page ${hex(type)} at ${hex(ib)}`;
  const page = await file.read(ib, pageSize);
  if (page.length < pageSize) throw new Damage('page-offset', where, 'the page is outside the file');
  if (!isMap(type) && type !== pageType.densityList && (ib < 0x4400 || ib % pageSize !== 0))
    findings.add('page-offset', where, 'pages are in the data section, on a multiple of 512 bytes');
  if (page.readUInt8(496) !== type || page.readUInt8(497) !== type)
    throw new Damage(
      'page-type',
      where,
      `ptype and ptypeRepeat are ${hex(page.readUInt8(496))} and ${hex(page.readUInt8(497))}`,
    );
  const expected = isMap(type) ? 0 : signature(ib, bid);
  if (page.readUInt16LE(498) !== expected)
    findings.add('page-signature', where, `wSig is ${hex(page.readUInt16LE(498))}, not ${hex(expected)}`);
  const crc = checksum(page.subarray(0, 496));
  if (page.readUInt32LE(500) !== crc)
    findings.add('page-crc', where, `dwCRC is ${hex(page.readUInt32LE(500))}, not ${hex(crc)}`);
  if (readUInt64(page, 504) !== bid)
    findings.add('page-id', where, `bid is ${hex(readUInt64(page, 504))}, not ${hex(bid)}`);
  return page;
}
