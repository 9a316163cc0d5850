import { expect, test } from 'vitest';
import { gappedPath, gridValues, labelPlaces, linePath, type Plot, stackPaths } from './chart-scale.ts';

test('places its lines at round numbers and ends at or above the highest bar', () => {
  expect(gridValues(1_470)).toEqual([0, 500, 1_000, 1_500]);
  expect(gridValues(7)).toEqual([0, 5, 10]);
  expect(gridValues(290_000)).toEqual([0, 100_000, 200_000, 300_000]);
});

test('has whole numbers only, as there is no half run', () => {
  expect(gridValues(1)).toEqual([0, 1]);
  expect(gridValues(0)).toEqual([0, 1]);
  expect(gridValues(2)).toEqual([0, 1, 2]);
});

test('labels the last day and as many before it as fit', () => {
  expect(labelPlaces(7, 700, 60)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(labelPlaces(90, 700, 60)).toEqual([1, 9, 17, 25, 33, 41, 49, 57, 65, 73, 81, 89]);
  expect(labelPlaces(0, 700, 60)).toEqual([]);
});

test('labels one day on a page that has no width yet', () => {
  expect(labelPlaces(7, 0, 60)).toEqual([6]);
});

const plot: Plot = { widthPx: 100, heightPx: 50, top: 10 };

/** Left edge, upper edge, width and height of each bar of a path. */
function bars(path: string | undefined): number[][] {
  return [...(path ?? '').matchAll(/M(\S+) (\S+)h(\S+)v(\S+)h\S+z/g)].map((bar) => bar.slice(1).map(Number));
}

test('stacks the layers of a bar without gap, the first at the bottom', () => {
  const [failed, success] = stackPaths([[2, 6]], 2, plot);
  expect(bars(failed)).toEqual([[22, 40, 56, 10]]);
  expect(bars(success)).toEqual([[22, 10, 56, 30]]);
});

test('gives every bar the same space', () => {
  const [path] = stackPaths([[10], [5], [10], [0]], 1, plot);
  expect(bars(path)).toEqual([
    [3, 0, 19, 50],
    [28, 25, 19, 25],
    [53, 0, 19, 50],
  ]);
});

test('keeps one failure visible beside ten thousand successes', () => {
  const [failed] = stackPaths([[1, 9_999]], 2, { ...plot, top: 10_000 });
  expect(bars(failed)[0]?.[3]).toBe(2);
});

test('draws something for each of 400 days on a phone', () => {
  const stacks = Array.from({ length: 400 }, () => [1]);
  const [path] = stackPaths(stacks, 1, { ...plot, widthPx: 300 });
  expect(bars(path)).toHaveLength(400);
  expect(bars(path).every(([, , width = 0]) => width > 0)).toBe(true);
});

test('draws a line from the left edge to the right one', () => {
  expect(linePath([0, 5, 10], plot)).toBe('M0 50L50 25L100 0');
});

test('draws a flat line for one value, and nothing for none', () => {
  expect(linePath([5], plot)).toBe('M0 25H100');
  expect(linePath([], plot)).toBe('');
});

test('draws a line through the middles of bars, with a gap where nothing is known', () => {
  expect(gappedPath([10, 5, null, 0, 10], plot)).toBe('M10 0h0L30 25h0M70 50h0L90 0h0');
  expect(gappedPath([null], plot)).toBe('');
});
