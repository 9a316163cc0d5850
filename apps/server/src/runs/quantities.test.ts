import { expect, it } from 'vitest';
import { durationText, sizeText } from './quantities.ts';

it.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [60_000, '1 m'],
  [41 * 60_000, '41 m'],
  [60 * 60_000, '1 h'],
  [192 * 60_000, '3 h 12 m'],
  [50 * 3_600_000, '2 d 2 h'],
])('prints %i ms as %s', (durationMs, text) => {
  expect(durationText(durationMs)).toBe(text);
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [250_000_000, '250 MB'],
  [1_234_000_000, '1.2 GB'],
  [9_007_199_254_740_991, '9.0 PB'],
])('prints %i bytes as %s', (sizeBytes, text) => {
  expect(sizeText(sizeBytes)).toBe(text);
});
