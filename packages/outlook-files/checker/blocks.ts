import type { Allocation } from './allocation.ts';
import { checksum, hex, readUInt64, signature } from './binary.ts';
import { Damage, type Findings } from './findings.ts';
import { firstMap } from './header.ts';
import { decodePermutation } from './permutation.ts';
import type { PstFile } from './pst-file.ts';

/** The most bytes of data in one block. */
export const mostBlockData = 8192 - 16;

/** Whether a block id names an internal block (XBLOCK, XXBLOCK, SLBLOCK, SIBLOCK) rather than data. */
export function isInternal(bid: number): boolean {
  return bid % 4 >= 2;
}

/** Size of a block in the file: data, padding and trailer, in multiples of 64 bytes. */
export function storedSize(cb: number): number {
  return Math.ceil((cb + 16) / 64) * 64;
}

/**
 * The leaf entries of the block tree, and the way to the data of a block.
 * References met elsewhere are counted here, to be compared with each entry's cRef at the end.
 */
export class Blocks {
  readonly #file: PstFile;
  readonly #findings: Findings;
  readonly #permuted: boolean;
  readonly #bids: number[] = [];
  readonly #offsets: number[] = [];
  readonly #sizes: number[] = [];
  readonly #statedCounts: number[] = [];
  readonly #references: number[] = [];

  constructor(file: PstFile, findings: Findings, permuted: boolean) {
    this.#file = file;
    this.#findings = findings;
    this.#permuted = permuted;
  }

  get count(): number {
    return this.#bids.length;
  }

  /** The greatest id, or zero. */
  get lastBid(): number {
    return this.#bids.reduce((last, bid) => Math.max(last, bid), 0);
  }

  /** Takes one BBTENTRY, claims its space and checks its fields ([MS-PST] 2.2.2.7.7.3). */
  add(entry: Buffer, allocation: Allocation): void {
    const bid = readUInt64(entry, 0);
    const ib = readUInt64(entry, 8);
    const cb = entry.readUInt16LE(16);
    const where = blockName(bid);
    this.#bids.push(bid);
    this.#offsets.push(ib);
    this.#sizes.push(cb);
    this.#statedCounts.push(entry.readUInt16LE(18));
    this.#references.push(0);
    allocation.claim(ib, storedSize(cb), where);
    if (bid % 2 !== 0 || bid === 0)
      this.#findings.add('block-id', where, 'bit 0 is reserved and must be zero, and zero is no id');
    if (cb === 0 || cb > mostBlockData)
      this.#findings.add('block-size', where, `cb is ${cb}; a block has 1 to ${mostBlockData} bytes`);
    if (ib < firstMap || ib % 64 !== 0 || ib + storedSize(cb) > this.#file.size)
      this.#findings.add('block-location', where, `ib ${hex(ib)} is not a multiple of 64 inside the data section`);
  }

  has(bid: number): boolean {
    return this.#find(bid) !== undefined;
  }

  /** Bytes of data in the block, without padding and trailer. */
  size(bid: number): number {
    return this.#sizes[this.#indexOf(bid, 'size')] ?? 0;
  }

  /** Counts a reference to `bid`; one that no block tree entry answers is a finding. */
  refer(bid: number, from: string): void {
    const index = this.#find(bid);
    if (index === undefined)
      this.#findings.add('block-missing', from, `refers to ${blockName(bid)}, which the block tree does not have`);
    else this.#references[index] = (this.#references[index] ?? 0) + 1;
  }

  /** The data of the block, decoded. */
  async read(bid: number, from: string): Promise<Buffer> {
    const index = this.#indexOf(bid, from);
    const data = await this.#file.read(this.#offsets[index] ?? 0, this.#sizes[index] ?? 0);
    return this.#permuted && !isInternal(bid) ? decodePermutation(data) : data;
  }

  /** All ids, in the order of the tree. */
  *ids(): Generator<number> {
    yield* this.#bids;
  }

  /** Checks trailer, signature and checksum of one block ([MS-PST] 2.2.2.8.1). */
  async checkTrailer(bid: number): Promise<void> {
    const index = this.#indexOf(bid, 'block tree');
    const [ib, cb, where] = [this.#offsets[index] ?? 0, this.#sizes[index] ?? 0, blockName(bid)];
    const bytes = await this.#file.read(ib, storedSize(cb));
    if (bytes.length < storedSize(cb)) throw new Damage('block-location', where, 'the block is outside the file');
    const trailer = bytes.subarray(-16);
    if (trailer.readUInt16LE(0) !== cb)
      this.#findings.add(
        'block-trailer',
        where,
        `cb is ${trailer.readUInt16LE(0)} in the trailer and ${cb} in the tree`,
      );
    if (readUInt64(trailer, 8) !== bid)
      this.#findings.add('block-trailer', where, `the trailer's bid is ${hex(readUInt64(trailer, 8))}`);
    if (trailer.readUInt16LE(2) !== signature(ib, bid))
      this.#findings.add('block-signature', where, `wSig is not ${hex(signature(ib, bid))}`);
    if (trailer.readUInt32LE(4) !== checksum(bytes.subarray(0, cb)))
      this.#findings.add('block-crc', where, 'dwCRC does not fit the data');
  }

  /** Compares cRef of every entry with the references counted: one for the entry itself and one for each that points there. */
  checkReferences(): void {
    for (const [index, bid] of this.#bids.entries()) {
      const [references, stated] = [this.#references[index] ?? 0, this.#statedCounts[index] ?? 0];
      if (references === 0) this.#findings.add('block-orphan', blockName(bid), 'nothing refers to the block');
      else if (stated !== references + 1)
        this.#findings.add(
          'block-reference-count',
          blockName(bid),
          `cRef is ${stated}, with ${references} references it must be ${references + 1}`,
        );
    }
  }

  #indexOf(bid: number, from: string): number {
    const index = this.#find(bid);
    if (index === undefined)
      throw new Damage('block-missing', from, `refers to ${blockName(bid)}, which the block tree does not have`);
    return index;
  }

  #find(bid: number): number | undefined {
    let low = 0;
    let high = this.#bids.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const candidate = this.#bids[middle] ?? 0;
      if (candidate === bid) return middle;
      if (candidate < bid) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}

/** How findings name a block. */
export function blockName(bid: number): string {
  return `block ${hex(bid)}`;
}
