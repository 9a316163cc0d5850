/** Bits of the hash, and so the bytes after which the place of a byte within the hash repeats: 11 and 160 share no divisor. */
const widthBits = 160;
const shiftBits = 11;

/**
 * QuickXorHash as published by the vendor: byte `i` is combined by exclusive or into a circular register of 160 bits at
 * bit `11 * i mod 160`, and the length goes into the last eight bytes. Bytes whose index is the same modulo 160 fall on
 * the same place, so they are gathered first and placed once at the end.
 */
export class QuickXorHash {
  private readonly words = new Uint32Array(widthBits / 4);
  private readonly gathered = new Uint8Array(this.words.buffer);
  private length = 0;

  update(bytes: Uint8Array): this {
    const inWords = this.updateWords(bytes);
    const { gathered } = this;
    let place = (this.length + inWords) % widthBits;
    for (let index = inWords; index < bytes.length; index += 1) {
      gathered[place] = (gathered[place] ?? 0) ^ (bytes[index] ?? 0);
      place = place === widthBits - 1 ? 0 : place + 1;
    }
    this.length += bytes.length;
    return this;
  }

  /** Hashes four bytes at a time where the bytes are aligned for it; returns how many bytes it has hashed. */
  private updateWords(bytes: Uint8Array): number {
    if (this.length % 4 !== 0 || bytes.byteOffset % 4 !== 0) return 0;
    const { words } = this;
    const given = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    let place = (this.length % widthBits) / 4;
    for (let index = 0; index < given.length; index += 1) {
      words[place] = (words[place] ?? 0) ^ (given[index] ?? 0);
      place = place === words.length - 1 ? 0 : place + 1;
    }
    return given.length * 4;
  }

  /** Counts bytes that are known to cancel out each other, such as an even number of equal periods of 160 bytes. */
  skip(length: number): this {
    this.length += length;
    return this;
  }

  /** The hash in Base64, as Graph gives it. */
  digest(): string {
    const hash = Buffer.alloc(widthBits / 8);
    for (const [index, byte] of this.gathered.entries()) place(hash, (index * shiftBits) % widthBits, byte);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(this.length));
    for (const [index, byte] of length.entries()) hash[12 + index] = (hash[12 + index] ?? 0) ^ byte;
    return hash.toString('base64');
  }
}

/** Combines a byte into the register at a bit; what goes beyond the end comes in again at the start. */
function place(register: Buffer, bit: number, byte: number): void {
  const shifted = byte << (bit % 8);
  const first = bit >> 3;
  const second = (first + 1) % register.length;
  register[first] = (register[first] ?? 0) ^ (shifted & 0xff);
  register[second] = (register[second] ?? 0) ^ (shifted >> 8);
}

export const quickXorHashOf = (bytes: Uint8Array): string => new QuickXorHash().update(bytes).digest();
