import { expect, test } from 'vitest';
import { placeAfterKey } from './grid-keys.ts';

const SIZE = { rows: 100, columns: 31, pageRows: 15 };
const from = { row: 10, column: 10 };
const after = (key: string, ctrlKey = false) => placeAfterKey(from, { key, ctrlKey }, SIZE);

test.each([
  ['ArrowUp', false, 9, 10],
  ['ArrowDown', false, 11, 10],
  ['ArrowLeft', false, 10, 9],
  ['ArrowRight', false, 10, 11],
  ['PageDown', false, 25, 10],
  ['PageUp', false, 0, 10],
  ['Home', false, 10, 0],
  ['End', false, 10, 30],
  ['Home', true, 0, 0],
  ['End', true, 99, 30],
])('%s (Control: %s) leads to row %i, column %i', (key, ctrlKey, row, column) => {
  expect(after(key, ctrlKey)).toEqual({ row, column });
});

test('stays within the calendar', () => {
  expect(placeAfterKey({ row: 0, column: 0 }, { key: 'ArrowUp', ctrlKey: false }, SIZE)).toEqual({ row: 0, column: 0 });
  expect(placeAfterKey({ row: 99, column: 30 }, { key: 'ArrowRight', ctrlKey: false }, SIZE)).toEqual({
    row: 99,
    column: 30,
  });
});

test('enters at the first cell, and leaves other keys alone', () => {
  expect(placeAfterKey(null, { key: 'ArrowDown', ctrlKey: false }, SIZE)).toEqual({ row: 0, column: 0 });
  expect(after('a')).toBeNull();
  expect(after('constructor')).toBeNull();
  expect(placeAfterKey(null, { key: 'ArrowDown', ctrlKey: false }, { ...SIZE, rows: 0 })).toBeNull();
});
