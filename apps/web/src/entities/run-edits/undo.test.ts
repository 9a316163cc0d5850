import { expect, test } from 'vitest';
import { firstOfEach, undoEdits } from './undo.ts';

const run = (id: string, fields = {}) => ({
  _id: id,
  state: 'pending' as const,
  ignoredUntil: null,
  noteId: null,
  ...fields,
});

test('undoes runs with the same earlier state together', () => {
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

test('removes the note that was added and no other', () => {
  expect(undoEdits([run('a', { noteId: 'n1' }), run('b', { noteId: 'n1' })], { note: { content: 'New' } })).toEqual([
    { ids: ['a', 'b'], change: { removeNote: 'n1' } },
  ]);
});

test('undoes every note of a run, and the first of its states', () => {
  const notes = [run('a', { noteId: 'n1' }), run('a', { noteId: 'n2' })];
  expect(firstOfEach(notes)).toEqual(notes);
  expect(firstOfEach([run('a'), run('a', { state: 'in-progress' })])).toEqual([run('a')]);
});
