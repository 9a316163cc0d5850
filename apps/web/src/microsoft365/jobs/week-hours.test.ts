import { expect, test } from 'vitest';
import { placeAfter, setBetween } from './week-hours.ts';

const never = Array.from({ length: 168 }, () => false);

test('sets the rectangle between two hours, whichever was first', () => {
  const set = setBetween(never, 24 + 10, 8, true);
  expect(set.flatMap((isOn, place) => (isOn ? [place] : []))).toEqual([8, 9, 10, 32, 33, 34]);
  expect(setBetween(set, 8, 34, false)).toEqual(never);
});

test('keys lead within the day and the week', () => {
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'a'];
  expect(keys.map((key) => placeAfter(key, 25))).toEqual([24, 26, 1, 49, 24, 47, null]);
  expect(keys.map((key) => placeAfter(key, 167))).toEqual([166, 167, 143, null, 144, 167, null]);
});
