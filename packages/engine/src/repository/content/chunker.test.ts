import { expect, test } from 'vitest';
import { Random } from '../../testing/random.ts';
import { Chunker } from './chunker.ts';

const SIZES = { minBytes: 1_024, averageBytes: 4_096, maxBytes: 16_384 };
const chunker = new Chunker(Buffer.alloc(32, 3), SIZES);
const random = new Random(11);
const DATA = random.bytes(1_000_000);

function cut(bytes: Buffer, by = chunker): Buffer[] {
  const chunks: Buffer[] = [];
  for (let rest = bytes; rest.length > 0; rest = rest.subarray(chunks.at(-1)?.length))
    chunks.push(rest.subarray(0, by.cut(rest, true)));
  return chunks;
}

test('joined chunks are the input, and their sizes keep the limits and are close to the average', () => {
  const chunks = cut(DATA);
  expect(Buffer.concat(chunks).equals(DATA)).toBe(true);
  for (const { length } of chunks.slice(0, -1)) {
    expect(length).toBeGreaterThan(SIZES.minBytes);
    expect(length).toBeLessThanOrEqual(SIZES.maxBytes);
  }
  const average = DATA.length / chunks.length;
  expect(average).toBeGreaterThan(SIZES.averageBytes * 0.7);
  expect(average).toBeLessThan(SIZES.averageBytes * 1.8);
});

test('where a cut comes does not depend on how much of what follows is there', () => {
  for (let at = 0; at < 50; at += 1) {
    const bytes = DATA.subarray(at * 10_000);
    const length = chunker.cut(bytes, false);
    for (const seen of [length - 1, length, length + 1, SIZES.maxBytes])
      expect(chunker.cut(bytes.subarray(0, seen), false)).toBe(seen < length ? 0 : length);
  }
});

test('an insertion, a deletion and a change each cost a few chunks', () => {
  const before = new Set(cut(DATA).map((chunk) => chunk.toString('latin1')));
  const middle = 500_000;
  for (const [from, to, put] of [
    [middle, middle, 'x'],
    [middle, middle + 100, ''],
    [middle, middle + 5, 'hello'],
  ] as const) {
    const after = cut(Buffer.concat([DATA.subarray(0, from), Buffer.from(put), DATA.subarray(to)]));
    expect(after.filter((chunk) => !before.has(chunk.toString('latin1'))).length).toBeLessThanOrEqual(4);
  }
});

test('bytes that never give a cut are cut at the most a chunk may have', () => {
  const cuts = cut(Buffer.alloc(100_000)).map(({ length }) => length);
  expect(new Set(cuts.slice(0, -1)).size).toBe(1);
  expect(cuts[0]).toBeLessThanOrEqual(SIZES.maxBytes);
});

test('another key cuts elsewhere: sizes of chunks do not reveal which file it is', () => {
  const other = cut(DATA, new Chunker(Buffer.alloc(32, 4), SIZES)).map(({ length }) => length);
  expect(other).not.toEqual(cut(DATA).map(({ length }) => length));
});
