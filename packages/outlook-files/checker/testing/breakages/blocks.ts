import { bytesNode, type NodeModel } from '../content.ts';
import type { PstImage } from '../pst-image.ts';
import { nid } from '../sample.ts';
import { type Breakage, find, swap } from './breakage.ts';

/** An internal node the checker does not look into, so that only the layer below can complain. */
const spare = 0x241;

function addSpare(bytes: Buffer): (nodes: NodeModel[]) => void {
  return (nodes) => {
    nodes.push(bytesNode(spare, bytes));
  };
}

/** The id of the first internal block with this btype and level, with at least so many entries. */
function internalBlock(image: PstImage, type: number, level: number): number {
  for (const [bid, ib] of image.blockOffsets) {
    const block = image.at(ib);
    if (bid % 4 >= 2 && block.readUInt8(0) === type && block.readUInt8(1) === level) return bid;
  }
  throw new Error('The sample has no such block.');
}

/** The trailer of the store's data block. */
function trailer(image: PstImage): Buffer {
  return image.at(image.offsetOf(image.blockOf(nid.store))).subarray(-16);
}

export const blockBreakages: Breakage[] = [
  {
    rule: 'block-location',
    what: 'a block beyond the file',
    also: 'more',
    image: (image) => image.blockEntry(image.blockOf(nid.store), (entry) => entry.writeUInt32LE(image.size, 8)),
  },
  {
    rule: 'block-size',
    what: 'a block of no bytes',
    also: 'more',
    image: (image) => image.blockEntry(image.blockOf(nid.store), (entry) => entry.writeUInt16LE(0, 16)),
  },
  {
    rule: 'block-id',
    what: 'a block id with the reserved bit',
    also: 'more',
    image: (image) =>
      image.blockEntry(image.blockOf(nid.store), (entry) => entry.writeUInt8(entry.readUInt8(0) | 1, 0)),
  },
  { rule: 'block-trailer', what: 'another size in the trailer', image: (image) => trailer(image).writeUInt16LE(1, 0) },
  { rule: 'block-trailer', what: 'another id in the trailer', image: (image) => trailer(image).writeUInt16LE(1, 8) },
  { rule: 'block-signature', what: 'a wrong signature', image: (image) => trailer(image).writeUInt16LE(0, 2) },
  { rule: 'block-crc', what: 'a wrong checksum', image: (image) => trailer(image).writeUInt32LE(0, 4) },
  {
    rule: 'block-reference-count',
    what: 'one reference too many counted',
    image: (image) => image.blockEntry(image.blockOf(nid.store), (entry) => entry.writeUInt16LE(3, 18)),
  },
  {
    rule: 'block-orphan',
    what: 'a block nothing refers to',
    nodes: addSpare(Buffer.alloc(10)),
    image: (image) => image.nodeEntry(spare, (entry) => entry.writeUInt32LE(0, 8)),
  },
  {
    rule: 'block-missing',
    what: 'a node whose block does not exist',
    nodes: addSpare(Buffer.alloc(0)),
    image: (image) => image.nodeEntry(spare, (entry) => entry.writeUInt32LE(0x40000, 8)),
  },
  {
    rule: 'node-parent',
    what: 'a parent that does not exist',
    nodes: addSpare(Buffer.alloc(0)),
    image: (image) => image.nodeEntry(spare, (entry) => entry.writeUInt32LE(0x9002, 24)),
  },
  {
    rule: 'node-parent',
    what: 'a folder table with a parent',
    image: (image) => image.nodeEntry(0x12e, (entry) => entry.writeUInt32LE(nid.root, 24)),
  },
  {
    rule: 'node-block-kind',
    what: 'a data block as subnode block',
    also: ['block-reference-count'],
    nodes: addSpare(Buffer.alloc(10)),
    image: (image) => image.nodeEntry(spare, (entry) => entry.copy(entry, 16, 8, 16)),
  },
  {
    rule: 'data-tree-block',
    what: 'an XBLOCK of an unknown level',
    also: 'more',
    image: (image) => image.block(internalBlock(image, 1, 1), (data) => data.writeUInt8(3, 1)),
  },
  {
    rule: 'data-tree-children',
    what: 'an XBLOCK above subnode blocks',
    also: 'more',
    image: (image) =>
      image.block(internalBlock(image, 1, 1), (data) => data.writeUInt32LE(internalBlock(image, 2, 0), 8)),
  },
  {
    rule: 'data-tree-total',
    what: 'a wrong total',
    nodes: addSpare(Buffer.alloc(9000)),
    image: (image) => image.block(image.blockOf(spare), (data) => data.writeUInt32LE(8999, 4)),
  },
  {
    rule: 'data-tree-full',
    what: 'a first block that is not full',
    nodes: (nodes) => {
      nodes.push({
        ...bytesNode(spare, Buffer.alloc(0)),
        content: { kind: 'blocks', blocks: [Buffer.alloc(100), Buffer.alloc(100)] },
      });
    },
  },
  {
    rule: 'subnode-block',
    what: 'an SLBLOCK with used padding',
    also: 'more',
    image: (image) => image.block(image.blockOf(nid.rich, 'subnodes'), (data) => data.writeUInt8(1, 4)),
  },
  {
    rule: 'subnode-block',
    what: 'an attachment with the subnodes of its message',
    also: 'more',
    image: (image) => {
      const own = image.blockOf(nid.rich, 'subnodes');
      image.block(own, (data) => data.writeUInt32LE(own, 8 + 24 * 3 + 16));
    },
  },
  {
    rule: 'subnode-order',
    what: 'two subnodes exchanged',
    image: (image) => image.block(image.blockOf(nid.rich, 'subnodes'), (data) => swap(data.subarray(8), 24, 0, 1)),
  },
  {
    rule: 'subnode-parent-key',
    what: "a SIBLOCK key that is not the child's first",
    options: { subnodesPerBlock: 2 },
    image: (image) => image.block(image.blockOf(nid.rich, 'subnodes'), (data) => data.writeUInt32LE(1, 8)),
  },
  {
    rule: 'subnode-unused',
    what: 'a value without a property',
    nodes: (nodes) => {
      find(nodes, nid.rich).subnodes.push(bytesNode((0x300 << 5) | 0x1f, Buffer.alloc(10)));
    },
  },
];
