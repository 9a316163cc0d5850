import { randomFillSync } from 'node:crypto';

const KEY_BYTES = 16;
const pool = Buffer.alloc(KEY_BYTES * 1024);
let used = pool.length;

/** Sixteen random bytes. Drawn a thousand at a time: asking the system for each costs more than all else a small item takes. */
export function randomKey(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += KEY_BYTES;
  return Buffer.from(pool.subarray(used - KEY_BYTES, used));
}
