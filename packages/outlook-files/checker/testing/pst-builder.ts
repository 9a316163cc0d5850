import { checksum, signature } from '../binary.ts';
import { encodePermutation } from '../permutation.ts';
import type { Content, NodeModel } from './content.ts';
import { encode } from './context-builder.ts';
import { PstImage } from './pst-image.ts';
import { SpaceAllocator } from './space-allocator.ts';

/** How a file is built of its nodes. */
export interface BuildOptions {
  permuted?: boolean;
  /** At least so many allocation maps. */
  sections?: number;
  /** How many subnodes an SLBLOCK has before a SIBLOCK is needed. */
  subnodesPerBlock?: number;
}

interface Block {
  bid: number;
  data: Buffer;
  references: number;
}

/** Builds a Unicode PST from its nodes, to be checked and broken by tests. Everything is in memory. */
export function buildPst(nodes: NodeModel[], options: BuildOptions = {}): PstImage {
  return new PstBuilder(options).build(nodes);
}

class PstBuilder {
  readonly #options: BuildOptions;
  readonly #image = new PstImage();
  readonly #space = new SpaceAllocator();
  readonly #blocks = new Map<number, Block>();
  readonly #shared = new Map<Content, { data: number; values: NodeModel[] }>();
  /** The greatest index in use of each node type. */
  readonly #counters = new Map<number, number>();
  #nextBid = 4;
  #nextPage = 1;

  constructor(options: BuildOptions) {
    this.#options = options;
  }

  build(nodes: NodeModel[]): PstImage {
    const leaves = nodes.toSorted((left, right) => left.nid - right.nid).map((node) => this.#encodeNode(node));
    for (const block of this.#blocks.values()) this.#writeBlock(block);
    const entries = [...this.#blocks.values()]
      .toSorted((left, right) => left.bid - right.bid)
      .map((block) => this.#blockEntry(block));
    const blockTree = this.#writeTree(0x80, entries, 24);
    const nodeTree = this.#writeTree(0x81, leaves, 32);
    this.#space.extendTo(this.#options.sections ?? 1);
    for (const { type, ib, bits } of this.#space.maps()) this.#writePage(type, ib, ib, bits);
    this.#image.size = this.#space.fileSize;
    this.#writeHeader(nodeTree, blockTree);
    return this.#image;
  }

  #encodeNode(node: NodeModel): Buffer {
    this.#count(node.nid);
    const { data, subnodes } = this.#encodeContent(node);
    const entry = Buffer.alloc(32);
    entry.writeUInt32LE(node.nid, 0);
    entry.writeBigUInt64LE(BigInt(data), 8);
    entry.writeBigUInt64LE(BigInt(subnodes), 16);
    entry.writeUInt32LE(node.parent, 24);
    return entry;
  }

  #encodeContent(node: NodeModel): { data: number; subnodes: number } {
    const known = this.#shared.get(node.content);
    if (known) this.#refer(known.data);
    const encoded = known ? undefined : encode(node.content, () => this.#nextValueNode());
    const { data, values } = known ?? { data: this.#addTree(encoded?.blocks ?? []), values: encoded?.subnodes ?? [] };
    this.#shared.set(node.content, { data, values });
    return { data, subnodes: this.#addSubnodes([...node.subnodes, ...values]) };
  }

  #count(nid: number): void {
    this.#counters.set(nid & 0x1f, Math.max(nid >>> 5, this.#counters.get(nid & 0x1f) ?? 0x400));
  }

  #nextValueNode(): number {
    const index = (this.#counters.get(0x1f) ?? 0x400) + 1;
    this.#counters.set(0x1f, index);
    return (index << 5) | 0x1f;
  }

  #add(data: Buffer, internal: boolean): number {
    const bid = this.#nextBid + (internal ? 2 : 0);
    this.#nextBid += 4;
    this.#blocks.set(bid, {
      bid,
      data: internal || !this.#options.permuted ? data : encodePermutation(data),
      references: 1,
    });
    return bid;
  }

  #refer(bid: number): void {
    const block = this.#blocks.get(bid);
    if (block) block.references++;
  }

  /** Data blocks, an XBLOCK above several, an XXBLOCK above many. */
  #addTree(parts: Buffer[]): number {
    if (parts.length === 0) return 0;
    const level = parts.map((part) => ({ bid: this.#add(part, false), size: part.length }));
    if (level.length === 1) return level[0]?.bid ?? 0;
    const above = [];
    for (let first = 0; first < level.length; first += 1021)
      above.push(this.#addDataTreeBlock(level.slice(first, first + 1021), 1));
    return above.length === 1 ? (above[0]?.bid ?? 0) : this.#addDataTreeBlock(above, 2).bid;
  }

  #addDataTreeBlock(children: { bid: number; size: number }[], level: number): { bid: number; size: number } {
    const size = children.reduce((sum, child) => sum + child.size, 0);
    const bytes = Buffer.alloc(8 + 8 * children.length);
    bytes.writeUInt8(1, 0);
    bytes.writeUInt8(level, 1);
    bytes.writeUInt16LE(children.length, 2);
    bytes.writeUInt32LE(size, 4);
    for (const [place, { bid }] of children.entries()) bytes.writeBigUInt64LE(BigInt(bid), 8 + 8 * place);
    return { bid: this.#add(bytes, true), size };
  }

  #addSubnodes(subnodes: NodeModel[]): number {
    if (subnodes.length === 0) return 0;
    const entries = subnodes
      .toSorted((left, right) => left.nid - right.nid)
      .map((node) => this.#encodeNode(node).subarray(0, 24));
    const perBlock = this.#options.subnodesPerBlock ?? 340;
    const leaves = [];
    for (let first = 0; first < entries.length; first += perBlock) {
      const part = entries.slice(first, first + perBlock);
      const key = Buffer.alloc(16);
      part[0]?.copy(key, 0, 0, 8);
      key.writeBigUInt64LE(BigInt(this.#addSubnodeBlock(part, 0)), 8);
      leaves.push(key);
    }
    return leaves.length === 1 ? Number(leaves[0]?.readBigUInt64LE(8)) : this.#addSubnodeBlock(leaves, 1);
  }

  #addSubnodeBlock(entries: Buffer[], level: number): number {
    const head = Buffer.from([2, level, 0, 0, 0, 0, 0, 0]);
    head.writeUInt16LE(entries.length, 2);
    return this.#add(Buffer.concat([head, ...entries]), true);
  }

  #writeBlock({ bid, data }: Block): void {
    const size = Math.ceil((data.length + 16) / 64) * 64;
    const ib = this.#space.allocate(size, 64);
    const bytes = Buffer.alloc(size);
    data.copy(bytes);
    bytes.writeUInt16LE(data.length, size - 16);
    bytes.writeUInt16LE(signature(ib, bid), size - 14);
    bytes.writeUInt32LE(checksum(data), size - 12);
    bytes.writeBigUInt64LE(BigInt(bid), size - 8);
    this.#image.pieces.set(ib, bytes);
    this.#image.blockOffsets.set(bid, ib);
  }

  #blockEntry({ bid, data, references }: Block): Buffer {
    const entry = Buffer.alloc(24);
    entry.writeBigUInt64LE(BigInt(bid), 0);
    entry.writeBigUInt64LE(BigInt(this.#image.offsetOf(bid)), 8);
    entry.writeUInt16LE(data.length, 16);
    entry.writeUInt16LE(references + 1, 18);
    return entry;
  }

  /** Leaf pages and the pages above them; returns page id and offset of the root. */
  #writeTree(type: number, leaves: Buffer[], leafSize: number): { bid: number; ib: number } {
    let entries = leaves;
    for (let level = 0; ; level++) {
      const size = level === 0 ? leafSize : 24;
      const most = Math.floor(488 / size);
      const pages = [];
      for (let first = 0; first < Math.max(1, entries.length); first += most)
        pages.push(this.#writeTreePage(type, entries.slice(first, first + most), size, level));
      const [root] = pages;
      if (root && pages.length === 1) return root;
      entries = pages.map(({ key, bid, ib }) =>
        Buffer.from(BigUint64Array.from([key, BigInt(bid), BigInt(ib)]).buffer),
      );
    }
  }

  #writeTreePage(
    type: number,
    entries: Buffer[],
    size: number,
    level: number,
  ): { key: bigint; bid: number; ib: number } {
    const ib = this.#space.allocate(512, 512);
    const bid = this.#nextPage++;
    const body = Buffer.alloc(496);
    for (const [place, entry] of entries.entries()) {
      entry.copy(body, place * size);
      const places = type === 0x80 ? this.#image.blockEntries : this.#image.nodeEntries;
      if (level === 0) places.set(Number(entry.readBigUInt64LE(0)), { page: ib, offset: place * size });
    }
    Buffer.from([entries.length, Math.floor(488 / size), size, level]).copy(body, 488);
    this.#writePage(type, ib, bid, body);
    return { key: entries[0]?.readBigUInt64LE(0) ?? 0n, bid, ib };
  }

  #writePage(type: number, ib: number, bid: number, body: Buffer): void {
    const page = Buffer.alloc(512);
    body.copy(page);
    page.writeUInt8(type, 496);
    page.writeUInt8(type, 497);
    page.writeUInt16LE(type >= 0x82 && type <= 0x85 ? 0 : signature(ib, bid), 498);
    page.writeUInt32LE(checksum(page.subarray(0, 496)), 500);
    page.writeBigUInt64LE(BigInt(bid), 504);
    this.#image.pieces.set(ib, page);
  }

  #writeHeader(nodeTree: { bid: number; ib: number }, blockTree: { bid: number; ib: number }): void {
    const header = Buffer.alloc(564);
    header.write('!BDN', 0, 'latin1');
    header.write('SM', 8, 'latin1');
    Buffer.from([23, 0, 19, 0, 1, 1]).copy(header, 10);
    header.writeBigUInt64LE(BigInt(this.#nextPage), 32);
    header.writeUInt32LE(0x1000, 40);
    for (let type = 0; type < 32; type++) header.writeUInt32LE(this.#counters.get(type) ?? 0x400, 44 + 4 * type);
    const fields = [
      this.#space.fileSize,
      this.#space.lastMap,
      this.#space.freeBytes,
      0,
      nodeTree.bid,
      nodeTree.ib,
      blockTree.bid,
      blockTree.ib,
    ];
    for (const [place, value] of fields.entries()) header.writeBigUInt64LE(BigInt(value), 184 + 8 * place);
    header.writeUInt8(2, 248);
    header.fill(0xff, 256, 512);
    header.writeUInt8(0x80, 512);
    header.writeUInt8(this.#options.permuted ? 1 : 0, 513);
    header.writeBigUInt64LE(BigInt(this.#nextBid), 516);
    this.#image.pieces.set(0, header);
    this.#image.header(() => {});
  }
}
