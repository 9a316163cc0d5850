import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { QuickXorHash } from './quick-xor-hash.ts';

/** The definition, bit by bit. */
function byDefinition(bytes: Uint8Array): string {
  const bits = new Uint8Array(160);
  for (const [index, byte] of bytes.entries())
    for (let bit = 0; bit < 8; bit += 1) {
      const position = (index * 11 + bit) % 160;
      bits[position] = (bits[position] ?? 0) ^ ((byte >> bit) & 1);
    }
  const hash = Buffer.alloc(20);
  for (const [position, bit] of bits.entries())
    hash[position >> 3] = (hash[position >> 3] ?? 0) | (bit << (position % 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  for (const [index, byte] of length.entries()) hash[12 + index] = (hash[12 + index] ?? 0) ^ byte;
  return hash.toString('base64');
}

test('of nothing it is twenty zero bytes', () => {
  expect(new QuickXorHash().digest()).toBe('AAAAAAAAAAAAAAAAAAAAAAAAAAA=');
});

test('it is what the definition says, for every length around its period', () => {
  for (let length = 0; length < 500; length += 7) {
    const bytes = randomBytes(length);
    expect(new QuickXorHash().update(bytes).digest()).toBe(byDefinition(bytes));
  }
});

test('it does not matter in which pieces, and from which address, the bytes come', () => {
  const bytes = randomBytes(10_000);
  const whole = new QuickXorHash().update(bytes).digest();
  for (const size of [1, 3, 4, 159, 160, 161, 1_001]) {
    const hash = new QuickXorHash();
    for (let offset = 0; offset < bytes.length; offset += size) hash.update(bytes.subarray(offset, offset + size));
    expect(hash.digest()).toBe(whole);
  }
});
