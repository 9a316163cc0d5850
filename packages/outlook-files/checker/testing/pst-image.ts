import { open } from 'node:fs/promises';
import { checksum } from '../binary.ts';

/** Where a tree has an entry: the page and the offset in it. */
export interface EntryPlace {
  page: number;
  offset: number;
}

/** A built file in pieces (header, pages, blocks by their offsets), with the places tests break it at. */
export class PstImage {
  size = 0;
  readonly pieces = new Map<number, Buffer>();
  readonly blockEntries = new Map<number, EntryPlace>();
  readonly nodeEntries = new Map<number, EntryPlace>();
  readonly blockOffsets = new Map<number, number>();

  /** The bytes at an offset, to be changed in place without renewing any checksum. */
  at(ib: number): Buffer {
    const piece = this.pieces.get(ib);
    if (!piece) throw new Error(`The image has nothing at ${ib}.`);
    return piece;
  }

  /** Changes the header and renews both checksums. */
  header(change: (header: Buffer) => void): void {
    const header = this.at(0);
    change(header);
    header.writeUInt32LE(checksum(header.subarray(8, 479)), 4);
    header.writeUInt32LE(checksum(header.subarray(8, 524)), 524);
  }

  /** Changes a page and renews its checksum. */
  page(ib: number, change: (page: Buffer) => void): void {
    const page = this.at(ib);
    change(page);
    page.writeUInt32LE(checksum(page.subarray(0, 496)), 500);
  }

  /** Changes the data of a block and renews its checksum. */
  block(bid: number, change: (data: Buffer) => void): void {
    const block = this.at(this.offsetOf(bid));
    const data = block.subarray(0, block.readUInt16LE(block.length - 16));
    change(data);
    block.writeUInt32LE(checksum(data), block.length - 12);
  }

  /** Changes the block tree entry of a block. */
  blockEntry(bid: number, change: (entry: Buffer) => void): void {
    this.#entry(this.blockEntries.get(bid), 24, change);
  }

  /** Changes the node tree entry of a node. */
  nodeEntry(nid: number, change: (entry: Buffer) => void): void {
    this.#entry(this.nodeEntries.get(nid), 32, change);
  }

  #entry(place: EntryPlace | undefined, size: number, change: (entry: Buffer) => void): void {
    if (!place) throw new Error('The image has no such entry.');
    this.page(place.page, (page) => change(page.subarray(place.offset, place.offset + size)));
  }

  offsetOf(bid: number): number {
    const offset = this.blockOffsets.get(bid);
    if (offset === undefined) throw new Error(`The image has no block ${bid}.`);
    return offset;
  }

  /** The id of a top-level node's data block, or of its subnode block. */
  blockOf(nid: number, field: 'data' | 'subnodes' = 'data'): number {
    const place = this.nodeEntries.get(nid);
    if (!place) throw new Error(`The image has no node ${nid}.`);
    return Number(this.at(place.page).readBigUInt64LE(place.offset + (field === 'data' ? 8 : 16)));
  }

  async write(path: string): Promise<void> {
    const handle = await open(path, 'w');
    await handle.truncate(this.size);
    for (const [ib, bytes] of this.pieces) await handle.write(bytes, 0, bytes.length, ib);
    await handle.close();
  }
}
