import { expect, it } from 'vitest';
import { describeUse, privateWordsIn, privateWordsOfProject } from './private-words.ts';

/** The private words of a text, as they are written there. */
const found = (text: string) => privateWordsIn('docs/any.md', text).map(({ word }) => word);

it('the project has no private words: write the words of docs/glossary.md', () => {
  expect(privateWordsOfProject().map(describeUse)).toEqual([]);
});

it('reports a private word with path, line and what to write instead', () => {
  const text = '/** Runs of a job. */\nexport const runs = 1;\n/** A run is taken once. */\n';
  expect(privateWordsIn('apps/server/src/runs/any.ts', text).map(describeUse)).toEqual([
    'apps/server/src/runs/any.ts:3: "taken"; write: ingested, accepted, in use',
  ]);
});

it.each([
  ['The user is told.', ['told']],
  ['Nobody reads it, and it waits for no\n * one.', ['Nobody', 'no\n * one']],
  ['const toldAt = isTaken ?? row.is_kept;', ['told', 'Taken', 'kept']],
  ['const NOBODY = lastTry(run.tries);', ['NOBODY', 'lastTry']],
  ['export type Tries = Attempt[];', ['Tries']],
  ['take(runs); take: (runs) => void', ['take', 'take']],
  ['The folder holds logs.', ['holds']],
])('finds the private words of %j', (text, expected) => {
  expect(found(text).toSorted()).toEqual(expected.toSorted());
});

it.each([
  'A standard reply; the retries take turns, and take long.',
  'An export holds a connection, and the sync\n * holds the lock.',
  'The caller tries again. Tries settings without saving them.',
  'A standalone program understands replies, policies and clients in software.',
])('passes over %j', (text) => {
  expect(found(text)).toEqual([]);
});

it('allows the name of an operating-system account only where accounts are read', () => {
  expect(privateWordsIn('packages/embedded-database/src/unprivileged-account.ts', "'nobody'")).toEqual([]);
  expect(privateWordsIn('packages/embedded-database/src/server.ts', "'nobody'")).toHaveLength(1);
});
