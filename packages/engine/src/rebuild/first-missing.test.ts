import { expect, test } from 'vitest';
import { firstMissing } from './first-missing.ts';

const waiting = (run: string, ...brings: [key: string, revision: number][]) => {
  const sections = brings.map(([key, revision]) => ({ key, revision }));
  return [{ commit: { run, sections } }];
};

test('The earliest run goes on first', () => {
  const all = new Map([
    ['x 4', waiting('run-2', ['x', 5])],
    ['y 2', waiting('run-1', ['y', 3])],
  ]);
  expect(firstMissing(all)).toBe('y 2');
});

test('What only waits itself is not passed over, although a clock that is behind names the run before it', () => {
  const all = new Map([
    ['y 3', waiting('run-1', ['y', 4])],
    ['x 4', waiting('run-2', ['x', 5], ['y', 3])],
  ]);
  expect(firstMissing(all)).toBe('x 4');
});

test('The lowest revision of an object is passed over before those that may follow it', () => {
  const all = new Map([
    ['x 8', waiting('run-1', ['x', 9])],
    ['x 4', waiting('run-2', ['x', 5])],
  ]);
  expect(firstMissing(all)).toBe('x 4');
});

test('Where each brings what another waits for, the earliest goes on all the same', () => {
  const all = new Map([
    ['x 4', waiting('run-2', ['y', 2])],
    ['y 2', waiting('run-1', ['x', 4])],
  ]);
  expect(firstMissing(all)).toBe('y 2');
});
