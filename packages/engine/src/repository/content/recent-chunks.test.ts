import { expect, test } from 'vitest';
import { RecentChunks } from './recent-chunks.ts';

test('forgets the oldest chunks beyond its bytes, and never takes a large one', () => {
  const recent = new RecentChunks(1_000);
  for (let at = 0; at < 10; at += 1) recent.add(`small ${at}`, Buffer.alloc(300, at));
  expect(recent.get('small 6')).toBeUndefined();
  expect(recent.get('small 7')?.equals(Buffer.alloc(300, 7))).toBe(true);
  recent.add('small 9', Buffer.alloc(300, 1));
  expect(recent.get('small 9')?.[0]).toBe(9);
  recent.add('large', Buffer.alloc(262_145));
  expect(recent.get('large')).toBeUndefined();
  expect(recent.get('small 8')).toBeDefined();
});
