import { createCipheriv } from 'node:crypto';
import { expect, test } from 'vitest';
import { compressChunk } from './compression.ts';
import { release } from './release.ts';

test('gives back the memory of large bytes, whether they fill it or not', () => {
  const sealed = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(1_000_000));
  const { bytes: frame } = compressChunk(Buffer.from(sealed.toString('hex')));
  for (const bytes of [sealed, frame]) {
    release(bytes);
    expect(bytes.buffer.byteLength).toBe(0);
  }
});

test('leaves small bytes alone, which may share their memory with others', () => {
  const [one, other] = [Buffer.from('one'), Buffer.from('other')];
  release(one);
  expect([one.toString(), other.toString()]).toEqual(['one', 'other']);
  expect(Buffer.poolSize).toBeLessThanOrEqual(65_536);
});
