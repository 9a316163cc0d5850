const blockData = 8176;

/** Builds the data blocks of a Heap-on-Node ([MS-PST] 2.3.1). */
export class HeapBuilder {
  readonly #blocks: Buffer[][] = [[]];

  /** Adds an allocation and returns its HID. */
  add(bytes: Buffer): number {
    const current = this.#blocks.at(-1) ?? [];
    if (headerSize(this.#blocks.length - 1) + total(current) + bytes.length + 8 + 2 * (current.length + 2) > blockData)
      this.#blocks.push([]);
    const block = this.#blocks.length - 1;
    const items = this.#blocks[block] ?? [];
    items.push(bytes);
    return ((block << 16) | (items.length << 5)) >>> 0;
  }

  /** The blocks, all but the last padded to their full size. */
  build(clientSignature: number, root: number): Buffer[] {
    const blocks = this.#blocks.map((items, index) => assemble(items, index, index === this.#blocks.length - 1));
    blocks[0]?.writeUInt8(0xec, 2);
    blocks[0]?.writeUInt8(clientSignature, 3);
    blocks[0]?.writeUInt32LE(root, 4);
    for (const [index, block] of blocks.entries()) this.#writeLevel(blocks, index, fillLevel(block));
    return blocks;
  }

  #writeLevel(blocks: Buffer[], index: number, level: number): void {
    const [holder, first, at] = index < 8 ? [0, 0, 8] : [index - ((index - 8) % 128), index - ((index - 8) % 128), 2];
    const nibble = index - first;
    const byte = blocks[holder]?.readUInt8(at + (nibble >> 1)) ?? 0;
    blocks[holder]?.writeUInt8(byte | (level << (4 * (nibble % 2))), at + (nibble >> 1));
  }
}

function headerSize(index: number): number {
  if (index === 0) return 12;
  return index % 128 === 8 ? 66 : 2;
}

function total(items: Buffer[]): number {
  return items.reduce((sum, item) => sum + item.length, 0);
}

function assemble(items: Buffer[], index: number, last: boolean): Buffer {
  const map = Math.ceil((headerSize(index) + total(items)) / 2) * 2;
  const size = map + 4 + 2 * (items.length + 1);
  const block = Buffer.alloc(last ? size : blockData);
  block.writeUInt16LE(map, 0);
  block.writeUInt16LE(items.length, map);
  let offset = headerSize(index);
  for (const [place, item] of items.entries()) {
    block.writeUInt16LE(offset, map + 4 + 2 * place);
    item.copy(block, offset);
    offset += item.length;
  }
  block.writeUInt16LE(offset, map + 4 + 2 * items.length);
  block.writeUInt16LE(items.filter((item) => item.length === 0).length, map + 2);
  return block;
}

function fillLevel(block: Buffer): number {
  const map = block.readUInt16LE(0);
  const free = blockData - map - 4 - 2 * (block.readUInt16LE(map) + 1);
  const limits = [8, 16, 32, 64, 128, 256, 512, 768, 1024, 1280, 1536, 1792, 2048, 2560, 3584];
  return 15 - limits.filter((limit) => free >= limit).length;
}

/** The records of a BTH, laid in the heap in as many levels as they need; returns the HID of its header. */
export function addTree(
  heap: HeapBuilder,
  records: Buffer[],
  keySize: number,
  dataSize: number,
  header: number | undefined = undefined,
): { header: Buffer; hid: number } {
  const bytes = Buffer.from([0xb5, keySize, dataSize, 0, 0, 0, 0, 0]);
  const hid = header ?? heap.add(bytes);
  let level = records.length > 0 ? split(heap, records) : [];
  while (level.length > 1) {
    bytes.writeUInt8(bytes.readUInt8(3) + 1, 3);
    level = split(
      heap,
      level.map(({ key, hid: child }) => Buffer.concat([key.subarray(0, keySize), hidBytes(child)])),
    );
  }
  bytes.writeUInt32LE(level[0]?.hid ?? 0, 4);
  return { header: bytes, hid };
}

function split(heap: HeapBuilder, records: Buffer[]): { key: Buffer; hid: number }[] {
  const perItem = Math.floor(3580 / (records[0]?.length ?? 1));
  const items = [];
  for (let first = 0; first < records.length; first += perItem) {
    const part = records.slice(first, first + perItem);
    items.push({ key: part[0] ?? Buffer.alloc(0), hid: heap.add(Buffer.concat(part)) });
  }
  return items;
}

function hidBytes(hid: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(hid);
  return bytes;
}
