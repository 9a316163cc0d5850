import { checksum, hex, readUInt64 } from './binary.ts';
import { Damage, type Findings } from './findings.ts';
import type { PstFile } from './pst-file.ts';

/** Size of the Unicode header, in bytes. */
export const headerSize = 564;
/** File offset of the first allocation map. */
export const firstMap = 0x4400;
/** Bytes one allocation map covers, itself among them. */
export const mapInterval = 496 * 8 * 64;

/** A page and its place in the file. */
export interface PageReference {
  bid: number;
  ib: number;
}

/** The fields of HEADER and ROOT that other rules compare with. */
export interface Header {
  nextPage: number;
  nextBlock: number;
  unique: number;
  /** The counter of each of the 32 node types. */
  nodeCounters: number[];
  fileSize: number;
  lastMap: number;
  freeSpace: number;
  freePages: number;
  nodeTree: PageReference;
  blockTree: PageReference;
  freeMap: Buffer;
  permuted: boolean;
}

/**
 * Reads and checks HEADER ([MS-PST] 2.2.2.6) and ROOT (2.2.2.5).
 * Fields that need the rest of the file are returned for later comparison.
 */
export async function readHeader(file: PstFile, findings: Findings): Promise<Header> {
  const bytes = await file.read(0, headerSize);
  if (bytes.length < headerSize || bytes.readUInt32LE(0) !== 0x4e444221)
    throw new Damage('header-magic', 'header', 'the file does not begin with "!BDN" and a whole header');
  if (bytes.readUInt16LE(10) !== 23)
    throw new Damage('header-version', 'header', `wVer is ${bytes.readUInt16LE(10)}, a Unicode PST has 23`);
  checkFixedFields(bytes, findings);
  checkChecksums(bytes, findings);
  const header = parse(bytes);
  checkRoot(bytes, header, file.size, findings);
  return header;
}

function checkFixedFields(bytes: Buffer, findings: Findings): void {
  if (bytes.readUInt16LE(8) !== 0x4d53) findings.add('header-client-magic', 'header', 'wMagicClient is not "SM"');
  if (bytes.readUInt16LE(12) !== 19)
    findings.add('header-client-version', 'header', `wVerClient is ${bytes.readUInt16LE(12)}, not 19`);
  if (bytes.readUInt16LE(14) !== 0x0101)
    findings.add('header-platform', 'header', 'bPlatformCreate and bPlatformAccess must be 1');
  if (bytes.readUInt8(512) !== 0x80) findings.add('header-sentinel', 'header', 'bSentinel is not 0x80');
  const crypt = bytes.readUInt8(513);
  if (crypt > 1)
    throw new Damage('header-crypt-method', 'header', `bCryptMethod is ${crypt}; known are none (0) and permute (1)`);
  if (bytes.subarray(384, 512).some((byte) => byte !== 0xff))
    findings.add('header-free-maps', 'header', 'rgbFP is deprecated and must be filled with 0xFF');
}

function checkChecksums(bytes: Buffer, findings: Findings): void {
  const partial = checksum(bytes.subarray(8, 8 + 471));
  if (bytes.readUInt32LE(4) !== partial)
    findings.add('header-partial-crc', 'header', `dwCRCPartial is ${hex(bytes.readUInt32LE(4))}, not ${hex(partial)}`);
  const full = checksum(bytes.subarray(8, 8 + 516));
  if (bytes.readUInt32LE(524) !== full)
    findings.add('header-full-crc', 'header', `dwCRCFull is ${hex(bytes.readUInt32LE(524))}, not ${hex(full)}`);
}

function parse(bytes: Buffer): Header {
  return {
    nextPage: readUInt64(bytes, 32),
    nextBlock: readUInt64(bytes, 516),
    unique: bytes.readUInt32LE(40),
    nodeCounters: Array.from({ length: 32 }, (_, type) => bytes.readUInt32LE(44 + 4 * type)),
    fileSize: readUInt64(bytes, 184),
    lastMap: readUInt64(bytes, 192),
    freeSpace: readUInt64(bytes, 200),
    freePages: readUInt64(bytes, 208),
    nodeTree: { bid: readUInt64(bytes, 216), ib: readUInt64(bytes, 224) },
    blockTree: { bid: readUInt64(bytes, 232), ib: readUInt64(bytes, 240) },
    freeMap: bytes.subarray(256, 384),
    permuted: bytes.readUInt8(513) === 1,
  };
}

function checkRoot(bytes: Buffer, header: Header, size: number, findings: Findings): void {
  if (header.fileSize !== size)
    findings.add('root-file-size', 'root', `ibFileEof is ${header.fileSize}, the file has ${size} bytes`);
  const maps = (size - firstMap) / mapInterval;
  if (maps < 1 || !Number.isInteger(maps))
    throw new Damage(
      'root-file-grid',
      'root',
      `the file must be ${firstMap} + n * ${mapInterval} bytes, it is ${size}`,
    );
  const lastMap = firstMap + (maps - 1) * mapInterval;
  if (header.lastMap !== lastMap)
    findings.add('root-last-map', 'root', `ibAMapLast is ${hex(header.lastMap)}, not ${hex(lastMap)}`);
  if (header.freePages !== 0)
    findings.add('root-free-pages', 'root', `cbPMapFree is deprecated and must be zero, it is ${header.freePages}`);
  if (bytes.readUInt8(248) !== 2)
    findings.add(
      'root-maps-valid',
      'root',
      `fAMapValid is ${bytes.readUInt8(248)}: the allocation maps are marked as not valid`,
    );
}
