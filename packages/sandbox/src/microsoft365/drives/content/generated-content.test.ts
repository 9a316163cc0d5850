import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { generatedBytes, generatedContent } from './generated-content.ts';
import { QuickXorHash } from './quick-xor-hash.ts';

const block = 160 * 6554;

test('any range is the same bytes as that part of the whole', async () => {
  const content = generatedContent(3, 2 * block + 777);
  const whole = await buffer(content.open(0, content.size));
  expect(whole.length).toBe(content.size);
  for (const [start, end] of [
    [0, 1],
    [5, 9],
    [block - 3, block + 3],
    [block, 2 * block],
    [2 * block + 1, content.size],
  ] as const) {
    expect((await buffer(content.open(start, end))).equals(whole.subarray(start, end))).toBe(true);
  }
});

test('the hash of a content that was never made as a whole is that of its bytes', () => {
  for (const size of [0, 1, 160, block - 1, block, block + 1, 2 * block + 50, 3 * block]) {
    const hash = new QuickXorHash();
    for (const bytes of generatedBytes(11, 0, size)) hash.update(bytes);
    expect(generatedContent(11, size).quickXorHash).toBe(hash.digest());
  }
});

test('10 GB cost neither memory nor time: hash and last bytes are there at once', async () => {
  const size = 10_000_000_000;
  const content = generatedContent(5, size);
  const before = process.memoryUsage().arrayBuffers;
  expect(content.quickXorHash).toMatch(/^[A-Za-z0-9+/]{27}=$/);
  expect((await buffer(content.open(size - 10, size))).length).toBe(10);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20);
});

test('no two blocks, and no two seeds, give the same bytes', () => {
  const starts = [0, 1, 2, 3].map((number) =>
    [...generatedBytes(9, number * block, number * block + 64)][0]?.toString('hex'),
  );
  const other = [...generatedBytes(10, 0, 64)][0]?.toString('hex');
  expect(new Set([...starts, other]).size).toBe(5);
});
