import { createHmac, randomBytes } from 'node:crypto';

/** Codes of authenticator apps: RFC 6238 with what all such apps use, six digits of SHA-1 that change every 30 seconds. */

const STEP_MS = 30_000;
/** A clock may be off by as many steps, and a code is typed while it changes. */
const DRIFT_STEPS = 1;

/** A new key, of the length that RFC 4226 advises. */
export function newOneTimeKey(): Buffer {
  return randomBytes(20);
}

/** The code of a time step. */
export function oneTimeCodeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS);
}

/** The step of which this is the code, among those near now; `null` for another code. */
export function stepOfCode(key: Buffer, code: string, now: Date): number | null {
  const first = stepAt(now) - DRIFT_STEPS;
  const near = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_, offset) => first + offset);
  return near.find((step) => oneTimeCodeOf(key, step) === code) ?? null;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes in the letters and digits of RFC 4648 (base32), without padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => LETTERS[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}
