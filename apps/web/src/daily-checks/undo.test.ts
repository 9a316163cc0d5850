import { expect, test } from 'vitest';
import { undoEdits } from './undo.ts';

const run = (id: string, fields = {}) => ({
  _id: id,
  state: 'pending' as const,
  ignoredUntil: null,
  note: null,
  ...fields,
});

test('takes runs that were alike back together', () => {
  const before = [run('a'), run('b', { state: 'in-progress' }), run('c')];
  expect(undoEdits(before, { state: 'resolved' })).toEqual([
    { ids: ['a', 'c'], change: { state: 'pending' } },
    { ids: ['b'], change: { state: 'in-progress' } },
  ]);
});

test('brings the end of an ignored time back', () => {
  const until = '2026-04-01T00:00:00.000Z';
  const before = [run('a', { state: 'ignored', ignoredUntil: until }), run('b', { state: 'ignored' })];
  expect(undoEdits(before, { state: 'pending' })).toEqual([
    { ids: ['a'], change: { state: 'ignored', ignoredUntil: until } },
    { ids: ['b'], change: { state: 'ignored' } },
  ]);
});

test('leaves a note alone that was not changed, and removes one that was not there', () => {
  expect(undoEdits([run('a', { note: 'Mine' })], { state: 'resolved' })).toEqual([
    { ids: ['a'], change: { state: 'pending' } },
  ]);
  expect(undoEdits([run('a'), run('b', { note: 'Mine' })], { note: { content: 'New' } })).toEqual([
    { ids: ['a'], change: { note: { content: '' } } },
    { ids: ['b'], change: { note: { content: 'Mine' } } },
  ]);
});
