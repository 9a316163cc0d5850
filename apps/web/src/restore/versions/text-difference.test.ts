import { expect, test } from 'vitest';
import { linesOf } from './lines-of.ts';
import { differenceOf } from './text-difference.ts';

const shown = (older: string, newer: string) =>
  differenceOf(older.split(' '), newer.split(' ')).map((line) =>
    line.isSame ? line.older : `${line.older ?? ''}>${line.newer ?? ''}`,
  );

test('puts what was added beside what was removed in its place, and the same lines beside each other', () => {
  expect(shown('a b c d e', 'a x c e f')).toEqual(['a', 'b>x', 'c', 'd>', 'e', '>f']);
  expect(shown('a b', 'a b')).toEqual(['a', 'b']);
  expect(shown('a', 'b')).toEqual(['a>b']);
});

test('two long texts that differ everywhere are shown as changed, soon', () => {
  const ofLines = (length: number) =>
    ['a', 'b'].map((name) => Array.from({ length }, (_, at) => `${name}${at}`)) as [string[], string[]];
  const compare = (length: number) => expect(differenceOf(...ofLines(length))).toHaveLength(length);
  // Against the longest texts that are compared line by line, for which a person waits: line by line these would take a hundred times as long.
  expect(leastMs(() => compare(20_000))).toBeLessThan(10 * leastMs(() => compare(2_000)));
});

/** The quickest of three times: whatever else the machine does can only make work take longer. */
function leastMs(work: () => void): number {
  const timesMs = [1, 2, 3].map(() => {
    const begunMs = performance.now();
    work();
    return performance.now() - begunMs;
  });
  return Math.min(...timesMs);
}

test('reads lines of a message as they are seen', () => {
  expect(linesOf({ html: '<p>One <b>two</b></p><div>three<br>four</div>', text: null })).toEqual([
    'One two',
    'three',
    'four',
  ]);
  expect(linesOf({ html: null, text: 'a\r\nb\n' })).toEqual(['a', 'b']);
  expect(linesOf({ html: null, text: null })).toBeNull();
});
