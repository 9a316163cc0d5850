import type { Breakage } from './breakage.ts';

export const headerBreakages: Breakage[] = [
  {
    rule: 'header-magic',
    what: 'another magic number',
    image: (image) => image.header((header) => header.write('!BDM')),
  },
  {
    rule: 'header-client-magic',
    what: 'an address book',
    image: (image) => image.header((header) => header.write('AB', 8)),
  },
  {
    rule: 'header-version',
    what: 'an ANSI file',
    image: (image) => image.header((header) => header.writeUInt16LE(14, 10)),
  },
  {
    rule: 'header-client-version',
    what: 'another client version',
    image: (image) => image.header((header) => header.writeUInt16LE(12, 12)),
  },
  {
    rule: 'header-platform',
    what: 'another platform',
    image: (image) => image.header((header) => header.writeUInt8(2, 14)),
  },
  { rule: 'header-partial-crc', what: 'a wrong partial checksum', image: (image) => image.at(0).writeUInt32LE(1, 4) },
  { rule: 'header-full-crc', what: 'a wrong full checksum', image: (image) => image.at(0).writeUInt32LE(1, 524) },
  {
    rule: 'header-sentinel',
    what: 'no sentinel',
    image: (image) => image.header((header) => header.writeUInt8(0, 512)),
  },
  {
    rule: 'header-crypt-method',
    what: 'an unknown encoding',
    image: (image) => image.header((header) => header.writeUInt8(0x10, 513)),
  },
  {
    rule: 'header-free-maps',
    what: 'a used rgbFP',
    image: (image) => image.header((header) => header.writeUInt8(0, 500)),
  },
  {
    rule: 'header-next-block',
    what: 'a block counter behind the blocks',
    image: (image) => image.header((header) => header.writeUInt32LE(8, 516)),
  },
  {
    rule: 'header-next-page',
    what: 'a page counter behind the pages',
    image: (image) => image.header((header) => header.writeUInt32LE(1, 32)),
  },
  {
    rule: 'header-node-counter',
    what: 'a message counter behind the messages',
    image: (image) => image.header((header) => header.writeUInt32LE(0x400, 44 + 4 * 4)),
  },
  {
    rule: 'header-row-version',
    what: 'row versions beyond dwUnique',
    image: (image) => image.header((header) => header.writeUInt32LE(5, 40)),
  },
  {
    rule: 'root-file-size',
    what: 'a wrong file size',
    image: (image) => image.header((header) => header.writeUInt32LE(1, 184)),
  },
  {
    rule: 'root-file-grid',
    what: 'bytes after the last section',
    also: ['root-file-size'],
    image: (image) => {
      image.size += 512;
    },
  },
  {
    rule: 'root-last-map',
    what: 'another last map',
    image: (image) => image.header((header) => header.writeUInt32LE(0x4600, 192)),
  },
  {
    rule: 'root-free-space',
    what: 'a wrong sum of free space',
    image: (image) => image.header((header) => header.writeUInt32LE(64, 200)),
  },
  {
    rule: 'root-free-pages',
    what: 'free pages counted',
    image: (image) => image.header((header) => header.writeUInt32LE(512, 208)),
  },
  {
    rule: 'root-maps-valid',
    what: 'maps marked as not valid',
    image: (image) => image.header((header) => header.writeUInt8(0, 248)),
  },
];
