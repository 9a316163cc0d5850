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
  const [older, newer] = ['a', 'b'].map((name) => Array.from({ length: 20_000 }, (_, at) => `${name}${at}`));
  const begunMs = performance.now();
  expect(differenceOf(older ?? [], newer ?? [])).toHaveLength(20_000);
  expect(performance.now() - begunMs).toBeLessThan(1_000);
});

test('reads lines of a message as they are seen', () => {
  expect(linesOf({ html: '<p>One <b>two</b></p><div>three<br>four</div>', text: null })).toEqual([
    'One two',
    'three',
    'four',
  ]);
  expect(linesOf({ html: null, text: 'a\r\nb\n' })).toEqual(['a', 'b']);
  expect(linesOf({ html: null, text: null })).toBeNull();
});
