import { expect, test } from 'vitest';
import { undoEdits } from './undo.ts';

const madeAt = '2026-03-15T12:00:00.000Z';
const undoes = { madeAt, changedById: null, changedAt: null };
const run = (id: string, fields = {}) => ({
  _id: id,
  state: 'pending' as const,
  ignoredUntil: null,
  changedById: null,
  changedAt: null,
  madeAt,
  noteId: null,
  ...fields,
});

test('undoes runs with the same earlier state together, and says which change that was', () => {
  const before = [run('a'), run('b', { state: 'in-progress' }), run('c')];
  expect(undoEdits(before, { state: 'resolved' })).toEqual([
    { ids: ['a', 'c'], change: { state: 'pending' }, undoes },
    { ids: ['b'], change: { state: 'in-progress' }, undoes },
  ]);
});

test('gives each run back to whom it was by', () => {
  const bens = { state: 'in-progress', changedById: 'ben', changedAt: '2026-03-15T09:00:00.000Z' };
  expect(undoEdits([run('a', bens), run('b')], { state: 'resolved' })).toEqual([
    { ids: ['a'], change: { state: 'in-progress' }, undoes: { madeAt, changedById: 'ben', changedAt: bens.changedAt } },
    { ids: ['b'], change: { state: 'pending' }, undoes },
  ]);
});

test('brings the end of an ignored time back', () => {
  const until = '2026-04-01T00:00:00.000Z';
  const before = [run('a', { state: 'ignored', ignoredUntil: until }), run('b', { state: 'ignored' })];
  expect(undoEdits(before, { state: 'pending' })).toEqual([
    { ids: ['a'], change: { state: 'ignored', ignoredUntil: until }, undoes },
    { ids: ['b'], change: { state: 'ignored' }, undoes },
  ]);
});

test('removes the note that was added and no other', () => {
  expect(undoEdits([run('a', { noteId: 'n1' }), run('b', { noteId: 'n1' })], { note: { content: 'New' } })).toEqual([
    { ids: ['a', 'b'], change: { removeNote: 'n1' } },
  ]);
});

test('removes the note also where the state has to stay', () => {
  expect(undoEdits([run('a', { noteId: 'n1' })], { state: 'resolved', note: { content: 'New' } })).toEqual([
    { ids: ['a'], change: { state: 'pending' }, undoes },
    { ids: ['a'], change: { removeNote: 'n1' } },
  ]);
});
