import { crc32 } from 'node:zlib';

/** Eight bytes as a number; offsets and ids of real files stay far below 2^53, greater ones lose precision and fail their rule. */
export function readUInt64(buffer: Buffer, offset: number): number {
  return buffer.readUInt32LE(offset + 4) * 0x1_0000_0000 + buffer.readUInt32LE(offset);
}

/** The checksum of [MS-PST] 5.3: CRC-32 with start value zero and no final inversion. */
export function checksum(data: Buffer): number {
  return ~crc32(data, 0xffff_ffff) >>> 0;
}

/** The signature of a page or block at file offset `ib` ([MS-PST] 5.5). It uses the low 32 bits of both values only. */
export function signature(ib: number, bid: number): number {
  const mixed = ((ib % 0x1_0000_0000) ^ (bid % 0x1_0000_0000)) >>> 0;
  return (mixed >>> 16) ^ (mixed & 0xffff);
}

/** A number as the document writes ids and offsets. */
export function hex(value: number): string {
  return `0x${value.toString(16).toUpperCase()}`;
}
