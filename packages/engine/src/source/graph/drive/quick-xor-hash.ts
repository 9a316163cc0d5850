/** Bits of the hash. A byte moves on by 11 bits, so the place of a byte repeats after as many bytes as the hash has bits. */
const BITS = 160;
const SHIFT = 11;

/**
 * The hash that OneDrive and SharePoint report for every file (https://learn.microsoft.com/onedrive/developer/code-snippets/quickxorhash): byte
 * `i` is combined by exclusive or into a circle of 160 bits, from bit `11 · i mod 160` on; the length, as 64 bits in little-endian
 * order, goes into the last eight bytes. It detects damage, not intent: two files with the same hash can be made on purpose.
 */
export class QuickXorHash {
  /** Bytes of the same place, gathered as they come and placed once at the end. */
  private readonly words = new Uint32Array(BITS / 4);
  private readonly gathered = new Uint8Array(this.words.buffer);
  private length = 0;

  update(bytes: Uint8Array): this {
    const head = bytes.subarray(0, (4 - (this.length % 4)) % 4);
    this.updateBytes(head);
    const rest = bytes.subarray(head.length);
    // Words are read in place only if they begin at the boundary of a word.
    const aligned = rest.byteOffset % 4 === 0 ? rest : new Uint8Array(rest);
    this.updateWords(new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2));
    this.updateBytes(rest.subarray(rest.length - (rest.length % 4)));
    return this;
  }

  /** As Graph reports it: in base64. */
  digest(): string {
    const hash = Buffer.alloc(BITS / 8);
    for (const [index, byte] of this.gathered.entries()) {
      const bit = (index * SHIFT) % BITS;
      const first = bit >> 3;
      const second = (first + 1) % hash.length;
      hash[first] = (hash[first] ?? 0) ^ ((byte << (bit % 8)) & 0xff);
      hash[second] = (hash[second] ?? 0) ^ (byte >> (8 - (bit % 8)));
    }
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(this.length));
    for (const [index, byte] of length.entries()) hash[12 + index] = (hash[12 + index] ?? 0) ^ byte;
    return hash.toString('base64');
  }

  private updateBytes(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const place = this.length % BITS;
      this.gathered[place] = (this.gathered[place] ?? 0) ^ byte;
      this.length += 1;
    }
  }

  /** To be called at the boundary of a word. */
  private updateWords(given: Uint32Array): void {
    const { words } = this;
    let place = (this.length % BITS) / 4;
    for (let index = 0; index < given.length; index += 1) {
      words[place] = (words[place] ?? 0) ^ (given[index] ?? 0);
      place = place === words.length - 1 ? 0 : place + 1;
    }
    this.length += given.length * 4;
  }
}
