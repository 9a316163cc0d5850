/**
 * Randomness without state: every value is a hash of whole numbers, so the same question always has the same answer
 * and nothing about the past has to be stored.
 */

/** Mixes whole numbers into one unsigned 32-bit number (the finalizer of MurmurHash3 after every part). */
export function mix(...parts: number[]): number {
  return fold(parts, 0);
}

/** A number in [0, 1) made of whole numbers. */
export function unit(...parts: number[]): number {
  return fold(parts, 0) / 0x1_0000_0000;
}

/** A number of about a bell curve: mean 0, standard deviation 1, never beyond 3.5. */
export function bell(...parts: number[]): number {
  const sum = fold(parts, 1) + fold(parts, 2) + fold(parts, 3) + fold(parts, 4);
  return (sum / 0x1_0000_0000 - 2) * Math.sqrt(3);
}

/** Takes a list, as handing arguments on one by one is what computing a day of history would spend its time with. */
function fold(parts: readonly number[], salt: number): number {
  let hash = 0x9e3779b9 ^ salt;
  for (let index = 0; index < parts.length; index += 1) {
    hash = Math.imul(hash ^ (parts[index] ?? 0), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** A whole number from `least` to `most`, both included. */
export function whole(least: number, most: number, ...parts: number[]): number {
  return least + Math.floor(unit(...parts) * (most - least + 1));
}

/** One entry of a list that is not empty. */
export function pick<const T extends readonly [unknown, ...unknown[]]>(entries: T, ...parts: number[]): T[number] {
  return entries[mix(...parts) % entries.length] ?? entries[0];
}

/** Turns a text into an unsigned 32-bit number (FNV-1a), for use as a part. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** A UUID (the shape of version 4) made of whole numbers. */
export function uid(...parts: number[]): string {
  const hex = [11, 22, 33, 44]
    .map((salt) =>
      mix(salt, ...parts)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
  const variant = '89ab'[mix(55, ...parts) % 4] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
