import { CELL_ANOMALY, CELL_EMPTY, CELL_LETTERS } from '@keepwatch/contract/runs/values';
import { expect, test } from 'vitest';
import { CELL_LOOKS, hasRuns, lookOf } from './cell.ts';

test('has a look for every letter that the server sends', () => {
  for (const letter of [...Object.values(CELL_LETTERS), CELL_ANOMALY, CELL_EMPTY]) {
    expect(CELL_LOOKS.has(letter), letter).toBe(true);
  }
});

test('distinguishes results without colour: no two share a glyph or a word', () => {
  const looks = [...CELL_LOOKS.values()];
  expect(new Set(looks.map(({ glyph }) => glyph)).size).toBe(looks.length);
  expect(new Set(looks.map(({ word }) => word)).size).toBe(looks.length);
});

test('treats a day without letter, or with one of a newer server, as a day without runs', () => {
  expect(lookOf(undefined).word).toBe('No run');
  expect(lookOf('Z').word).toBe('No run');
  expect(hasRuns('Z')).toBe(false);
  expect(hasRuns(CELL_EMPTY)).toBe(false);
  expect(hasRuns(CELL_LETTERS.DidntRun)).toBe(true);
});
