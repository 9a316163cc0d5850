const firstMap = 0x4400;
const interval = 253_952;

/** Hands out space from the beginning, section by section, and makes the map pages. */
export class SpaceAllocator {
  readonly #bits: Buffer[] = [];
  #next = firstMap;

  get fileSize(): number {
    return firstMap + this.#bits.length * interval;
  }

  get lastMap(): number {
    return this.fileSize - interval;
  }

  get freeBytes(): number {
    let free = 0;
    for (const bits of this.#bits)
      for (const byte of bits) {
        if (byte === 0) free += 8 * 64;
        else for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) === 0) free += 64;
      }
    return free;
  }

  /** The offset of `size` free bytes. */
  allocate(size: number, alignment: number): number {
    if (this.#bits.length === 0) this.#addSection();
    let ib = Math.ceil(this.#next / alignment) * alignment;
    if (ib + size > this.fileSize) {
      this.#addSection();
      ib = Math.ceil(this.#next / alignment) * alignment;
    }
    this.#mark(ib, size);
    this.#next = ib + size;
    return ib;
  }

  extendTo(sections: number): void {
    while (this.#bits.length < sections) this.#addSection();
  }

  #addSection(): void {
    const index = this.#bits.length;
    this.#bits.push(Buffer.alloc(496));
    const size = 512 * typesOf(index).length;
    this.#mark(firstMap + index * interval, size);
    this.#next = firstMap + index * interval + size;
  }

  #mark(ib: number, size: number): void {
    for (let at = ib; at < ib + size; at += 64) {
      const bits = this.#bits[Math.floor((at - firstMap) / interval)];
      const slot = ((at - firstMap) % interval) / 64;
      bits?.writeUInt8(bits.readUInt8(slot >> 3) | (0x80 >> (slot % 8)), slot >> 3);
    }
  }

  /** All map pages. Page maps offer nothing; free maps say "unknown". */
  *maps(): Generator<{ type: number; ib: number; bits: Buffer }> {
    for (const [index, bits] of this.#bits.entries()) {
      for (const [place, type] of typesOf(index).entries())
        yield {
          type,
          ib: firstMap + index * interval + 512 * place,
          bits: type === 0x84 ? bits : Buffer.alloc(496, 0xff),
        };
    }
  }
}

function typesOf(index: number): number[] {
  const types = [0x84];
  if (index % 8 === 0) types.push(0x83);
  if (index >= 128 && (index - 128) % 496 === 0) types.push(0x82);
  if (index >= 8192 && (index - 8192) % 31_744 === 0) types.push(0x85);
  return types;
}
