import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { ContentStore } from './content-store.ts';
import { quickXorHashOf } from './quick-xor-hash.ts';

const stores: ContentStore[] = [];
const newStore = (limit: number) => {
  const store = new ContentStore(limit);
  stores.push(store);
  return store;
};
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

test.each([
  ['in memory', 1000],
  ['in a file', 10],
])('what is stored %s reads back whole and in parts, with its hashes', async (_, limit) => {
  const bytes = Buffer.from('Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich');
  const content = newStore(limit).store(bytes);
  expect((await buffer(content.open(0, content.size))).equals(bytes)).toBe(true);
  expect((await buffer(content.open(3, 9))).equals(bytes.subarray(3, 9))).toBe(true);
  expect((await buffer(content.open(4, 4))).length).toBe(0);
  expect(content.quickXorHash).toBe(quickXorHashOf(bytes));
  expect(content.sha256Hash).toBe(createHash('sha256').update(bytes).digest('hex').toUpperCase());
});

test('a content that outgrows the memory while it comes in is moved to a file as a whole', async () => {
  const writer = newStore(8).write();
  for (const piece of ['abcd', 'efgh', 'ijkl', 'mnop']) writer.append(Buffer.from(piece));
  const content = writer.finish();
  expect((await buffer(content.open(0, content.size))).toString()).toBe('abcdefghijklmnop');
});

test('the room of a content that was given up is free again', () => {
  const store = newStore(8);
  const writer = store.write();
  writer.append(Buffer.alloc(8));
  writer.discard();
  const next = store.write();
  next.append(Buffer.alloc(8, 1));
  expect(next.finish().size).toBe(8);
});
