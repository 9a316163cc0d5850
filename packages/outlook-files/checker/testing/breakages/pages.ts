import { checksum, signature } from '../../binary.ts';
import type { PstImage } from '../pst-image.ts';
import { nid } from '../sample.ts';
import { type Breakage, swap } from './breakage.ts';

const allocationMap = 0x4400;
const pageMap = 0x4600;

/** The page with the store's node tree entry: the first leaf. */
function leaf(image: PstImage): number {
  return image.nodeEntries.get(nid.store)?.page ?? 0;
}

/** Offset of the root page of the node tree. */
function root(image: PstImage): number {
  return image.at(0).readUInt32LE(224);
}

/** Frees or allocates the last 64 bytes of the section, and corrects the sum in the header. */
function setLastSlot(image: PstImage): void {
  image.page(allocationMap, (page) => page.writeUInt8(page.readUInt8(495) | 1, 495));
  image.header((header) => header.writeUInt32LE(header.readUInt32LE(200) - 64, 200));
}

/** A density list with one entry. */
export function densityList(entry: number): Buffer {
  const page = Buffer.alloc(512);
  page.writeUInt8(1, 0);
  page.writeUInt8(1, 1);
  page.writeUInt32LE(entry, 8);
  page.writeUInt16LE(0x8686, 496);
  page.writeUInt16LE(signature(0x4200, 9), 498);
  page.writeUInt32LE(checksum(page.subarray(0, 496)), 500);
  page.writeUInt8(9, 504);
  return page;
}

export const pageBreakages: Breakage[] = [
  {
    rule: 'page-offset',
    what: 'a tree root beyond the file',
    also: 'more',
    image: (image) => image.header((header) => header.writeUInt32LE(image.size, 224)),
  },
  {
    rule: 'page-type',
    what: 'a map page with another repeated type',
    image: (image) => image.at(pageMap).writeUInt8(0x84, 497),
  },
  {
    rule: 'page-signature',
    what: 'a map page with a signature',
    image: (image) => image.at(pageMap).writeUInt16LE(1, 498),
  },
  {
    rule: 'page-signature',
    what: 'a tree page with a wrong signature',
    image: (image) => image.at(leaf(image)).writeUInt16LE(0, 498),
  },
  {
    rule: 'page-crc',
    what: 'a tree page with a wrong checksum',
    image: (image) => image.at(leaf(image)).writeUInt32LE(0, 500),
  },
  {
    rule: 'page-id',
    what: 'a map page with an id of its own',
    image: (image) => image.at(pageMap).writeUInt32LE(4, 504),
  },
  {
    rule: 'allocation-missing',
    what: 'a used page marked as free',
    image: (image) => {
      image.page(allocationMap, (page) => page.writeUInt8(0, 1));
      image.header((header) => header.writeUInt32LE(header.readUInt32LE(200) + 512, 200));
    },
  },
  { rule: 'allocation-leaked', what: 'an unused place marked as allocated', image: setLastSlot },
  {
    rule: 'allocation-overlap',
    what: 'two blocks at one place',
    also: 'more',
    image: (image) =>
      image.blockEntry(image.blockOf(nid.store), (entry) =>
        entry.writeUInt32LE(image.offsetOf(image.blockOf(nid.names)), 8),
      ),
  },
  {
    rule: 'page-map-free-page',
    what: 'a page map that offers used pages',
    image: (image) => image.page(pageMap, (page) => page.writeUInt8(0, 0)),
  },
  {
    rule: 'density-list',
    what: 'a density list with a wrong number of free slots',
    image: (image) => {
      image.pieces.set(0x4200, densityList(0x00100000));
    },
  },
  {
    rule: 'free-map-value',
    what: 'a free map with a wrong longest run',
    image: (image) => image.header((header) => header.writeUInt8(1, 256)),
  },
  {
    rule: 'tree-page-fields',
    what: 'a wrong cEntMax',
    image: (image) => image.page(leaf(image), (page) => page.writeUInt8(14, 489)),
  },
  {
    rule: 'tree-page-level',
    what: 'a level left out',
    also: 'more',
    image: (image) => image.page(root(image), (page) => page.writeUInt8(2, 491)),
  },
  {
    rule: 'tree-key-order',
    what: 'two entries exchanged',
    image: (image) => image.page(leaf(image), (page) => swap(page, 32, 1, 2)),
  },
  {
    rule: 'tree-parent-key',
    what: "an index key that is not the child's first",
    image: (image) => image.page(root(image), (page) => page.writeUInt32LE(0x20, 0)),
  },
];
