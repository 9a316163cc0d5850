/** Bits of the parts, each of which takes up a sixteenth as many ids before the next one is begun; the last takes up all that follow. */
const PARTS: readonly number[] = [2 ** 16, 2 ** 19, 2 ** 23];
const BITS_AN_ID = 16;

/**
 * Which ids may have been changed, in about a megabyte: an id that was added is always found, and another one now and then (Bloom filters with
 * two bits an id). With a million ids, one in twenty others is mistaken for one of them. Few ids take few bytes: most mailboxes of a tenant are small, and
 * memory that is used for the first time costs more than the looking up.
 */
export class ChangedIds {
  private readonly parts: Uint32Array[] = [];
  /** How many ids the newest part still takes up. */
  private room = 0;

  add(id: string): void {
    const part = this.partWithRoom();
    for (const sum of sumsOf(id)) {
      const bit = placeIn(part, sum);
      part[bit >>> 5] = wordOf(part, bit) | (1 << (bit & 31));
    }
    this.room -= 1;
  }

  mayHave(id: string): boolean {
    if (this.parts.length === 0) return false;
    const sums = sumsOf(id);
    return this.parts.some((part) => sums.every((sum) => isSet(part, placeIn(part, sum))));
  }

  private partWithRoom(): Uint32Array {
    const newest = this.parts.at(-1);
    const bits = PARTS[this.parts.length];
    if (newest !== undefined && (this.room > 0 || bits === undefined)) return newest;
    const part = new Uint32Array((bits ?? 0) / 32);
    this.parts.push(part);
    this.room = (bits ?? 0) / BITS_AN_ID;
    return part;
  }
}

function isSet(part: Uint32Array, bit: number): boolean {
  return (wordOf(part, bit) & (1 << (bit & 31))) !== 0;
}

function wordOf(part: Uint32Array, bit: number): number {
  return part[bit >>> 5] ?? 0;
}

/** Two sums over the id, each with a multiplier of its own (FNV-1a, and the same with another prime). */
function sumsOf(id: string): [number, number] {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  return [one, other];
}

/** Folded to a place among the bits of a part. */
function placeIn(part: Uint32Array, sum: number): number {
  return ((sum >>> 15) ^ sum) & (32 * part.length - 1);
}
