/** Collects little-endian numbers and bytes. */
export class ByteWriter {
  readonly #parts: Buffer[] = [];

  u16(value: number): this {
    const bytes = Buffer.allocUnsafe(2);
    bytes.writeUInt16LE(value & 0xffff);
    return this.bytes(bytes);
  }

  u32(...values: number[]): this {
    const bytes = Buffer.allocUnsafe(values.length * 4);
    values.forEach((value, index) => {
      bytes.writeUInt32LE(value >>> 0, index * 4);
    });
    return this.bytes(bytes);
  }

  bytes(bytes: Buffer): this {
    this.#parts.push(bytes);
    return this;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
