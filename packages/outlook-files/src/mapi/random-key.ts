import { randomFillSync } from 'node:crypto';

const KEY_BYTES = 16;
const pool = Buffer.alloc(KEY_BYTES * 1024);
let used = pool.length;

/** Sixteen random bytes. Generated a thousand at a time: one call of the system for each costs more than the rest of a small item. */
export function randomKey(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += KEY_BYTES;
  return Buffer.from(pool.subarray(used - KEY_BYTES, used));
}
