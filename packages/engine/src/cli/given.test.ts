import { expect, test } from 'vitest';
import type { Command } from './command.ts';
import { readGiven } from './given.ts';

const command: Command = {
  words: '',
  options: {
    sort: { type: 'string', help: '' },
    limit: { type: 'string', help: '' },
    kinds: { type: 'string', help: '' },
    at: { type: 'string', help: '' },
    repository: { type: 'string', short: 'r', help: '' },
    deleted: { type: 'boolean', help: '' },
  },
  run: async () => 'Success',
};
const read = (...args: string[]) => readGiven('try', command, args);
const refused = (text: RegExp) =>
  expect.objectContaining({ code: 'bad-request', message: expect.stringMatching(text) });

test('takes values that begin with a dash, the last of several, and switches', () => {
  const given = read('--sort', '-name', '-r', '/one', '-r', '/two', '--deleted', '--limit=7');
  expect(given.oneOf('sort', ['name', '-name'], 'name')).toBe('-name');
  expect(given.text('repository')).toBe('/two');
  expect(given.has('deleted')).toBe(true);
  expect(given.count('limit', 50, 100)).toBe(7);
  expect(given.count('kinds', 50, 100)).toBe(50);
});

test.each(['-kT3', '--kT3', '---', '--kT-3_x'])('takes the key %s of an object, whatever it begins with', (key) => {
  expect(read('--sort', key, '--deleted').text('sort')).toBe(key);
});

test('does not take the next option for a value', () => {
  expect(() => read('--sort', '--deleted')).toThrow(refused(/argument/));
});

test('reads lists, given at once or one by one', () => {
  expect(read('--kinds', 'a, b', '--kinds', 'c').someOf('kinds', ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  expect(() => read('--kinds', 'a,').someOf('kinds', ['a'])).toThrow(refused(/--kinds is '', but must be one of a/));
});

test.each(['-1', '1.5', '1e2', '', ' 7', '0x10', '101', '٣'])('refuses %j as a count of at most 100', (text) => {
  expect(() => read(`--limit=${text}`).count('limit', 50, 100)).toThrow(
    refused(/--limit is '.*' *, but must be a whole number/),
  );
});

test('says what it does not know, and where to look', () => {
  expect(() => read('--sorted')).toThrow(refused(/^Unknown option '--sorted'\. `keepwatch-engine try --help`/));
  expect(() => read('word')).toThrow(refused(/takes options alone, but got 'word'/));
  expect(() => read().required('sort')).toThrow(refused(/^--sort is missing/));
});
