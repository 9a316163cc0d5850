import { expect, test } from 'vitest';
import { mix } from '../../../world/random.ts';
import { QuickXorHash, quickXorHashOf } from './quick-xor-hash.ts';

const bytesOf = (seed: number, length: number) => Buffer.from(Array.from({ length }, (_, at) => mix(seed, at) & 0xff));

/** The definition, a bit at a time. */
function byDefinition(bytes: Uint8Array): string {
  const bits = new Array<number>(160).fill(0);
  for (const [index, byte] of bytes.entries()) {
    for (let bit = 0; bit < 8; bit += 1) {
      const place = (index * 11 + bit) % 160;
      bits[place] = (bits[place] ?? 0) ^ ((byte >> bit) & 1);
    }
  }
  const hash = Buffer.alloc(20);
  for (const [at, bit] of bits.entries()) hash[at >> 3] = (hash[at >> 3] ?? 0) | (bit << (at % 8));
  hash.writeBigUInt64LE(hash.readBigUInt64LE(12) ^ BigInt(bytes.length), 12);
  return hash.toString('base64');
}

test.each([
  ['', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='],
  ['Sg==', 'SgAAAAAAAAAAAAAAAQAAAAAAAAA='],
  ['tbQ=', 'taAFAAAAAAAAAAAAAgAAAAAAAAA='],
  ['0pZP', '0rDEEwAAAAAAAAAAAwAAAAAAAAA='],
])('the bytes %s have the hash that is published for them', (bytes, hash) => {
  expect(quickXorHashOf(Buffer.from(bytes, 'base64'))).toBe(hash);
});

test.each([1, 14, 15, 19, 20, 159, 160, 161, 1000, 4097])('%i bytes hash as the definition says', (length) => {
  const bytes = bytesOf(length, length);
  expect(quickXorHashOf(bytes)).toBe(byDefinition(bytes));
});

test('the pieces the bytes come in do not matter', () => {
  const bytes = bytesOf(7, 1000);
  const hash = new QuickXorHash();
  for (let start = 0; start < bytes.length; start += 37) hash.update(bytes.subarray(start, start + 37));
  expect(hash.digest()).toBe(quickXorHashOf(bytes));
});
