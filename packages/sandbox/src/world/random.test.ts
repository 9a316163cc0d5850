import { expect, test } from 'vitest';
import { bell, mix, pick, textHash, uid, unit, whole } from './random.ts';

const many = Array.from({ length: 5000 }, (_, index) => index);

test('gives the same answer to the same question, and another one to another', () => {
  expect(mix(1, 2, 3)).toBe(mix(1, 2, 3));
  expect(mix(1, 2, 3)).not.toBe(mix(3, 2, 1));
  expect(new Set(many.map((part) => mix(7, part))).size).toBe(many.length);
});

test('spreads numbers evenly over 0 to 1', () => {
  const mean = many.reduce((sum, part) => sum + unit(part, 9), 0) / many.length;
  expect(mean).toBeGreaterThan(0.48);
  expect(mean).toBeLessThan(0.52);
  expect(many.every((part) => unit(part) >= 0 && unit(part) < 1)).toBe(true);
});

test('makes a bell of mean 0 and deviation 1 without far outliers', () => {
  const values = many.map((part) => bell(part));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  expect(Math.abs(mean)).toBeLessThan(0.06);
  expect(deviation).toBeGreaterThan(0.94);
  expect(deviation).toBeLessThan(1.06);
  expect(Math.max(...values.map(Math.abs))).toBeLessThan(3.5);
});

test('reaches both ends of a range of whole numbers', () => {
  const values = new Set(many.map((part) => whole(3, 6, part)));
  expect([...values].sort()).toEqual([3, 4, 5, 6]);
});

test('picks every entry of a list now and then', () => {
  expect(new Set(many.map((part) => pick(['a', 'b', 'c'], part))).size).toBe(3);
});

test('makes ids of the shape of a UUID that do not collide', () => {
  const ids = many.map((part) => uid(1, part));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('distinguishes texts', () => {
  expect(textHash('Daily Backup')).not.toBe(textHash('Daily Backup 2'));
});
