/** A megabyte. With a million ids, one in twenty other ids is mistaken for one of them. */
const BITS = 2 ** 23;

/**
 * Which ids may have been changed, in memory that does not grow: an id that was added is always found, and another one now and then
 * (a Bloom filter with two bits an id).
 */
export class ChangedIds {
  private readonly words = new Uint32Array(BITS / 32);

  add(id: string): void {
    for (const bit of bitsOf(id)) this.words[bit >>> 5] = this.wordOf(bit) | (1 << (bit & 31));
  }

  mayHave(id: string): boolean {
    return bitsOf(id).every((bit) => (this.wordOf(bit) & (1 << (bit & 31))) !== 0);
  }

  private wordOf(bit: number): number {
    return this.words[bit >>> 5] ?? 0;
  }
}

/** Two sums over the id, each with a multiplier of its own (FNV-1a, and the same with another prime), folded to a place among the bits. */
function bitsOf(id: string): [number, number] {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  return [folded(one), folded(other)];
}

function folded(sum: number): number {
  return ((sum >>> 15) ^ sum) & (BITS - 1);
}
