import { expect, test } from 'vitest';
import { checkName, freeName, mimeTypeOf } from './item-name.ts';

test.each(['Report.docx', '請求書.pdf', '.gitignore', "it's #1 & 100%", '🎉.txt', 'a'.repeat(255)])(
  'the name %s is allowed',
  (name) => {
    expect(() => checkName(name, `/${name}`)).not.toThrow();
  },
);

test.each([
  '',
  ' a',
  'a ',
  'a*b',
  'a:b',
  'a?b',
  'a/b',
  'a\\b',
  'a|b',
  'a<b',
  'a"b',
  'CON',
  'LPT1',
  '_vti_x',
  '~$a.docx',
  '.lock',
])('the name "%s" is refused as at the vendor', (name) => {
  expect(() => checkName(name, `/${name}`)).toThrow(/invalid characters/);
});

test('a path of more than 400 characters is refused', () => {
  expect(() => checkName('a.txt', `/${'b'.repeat(400)}/a.txt`)).toThrow(/longer than 400/);
});

test('a free name has its number before the extension', () => {
  const used = ['a.txt', 'a 1.txt'];
  expect(freeName('a.txt', (name) => used.includes(name))).toBe('a 2.txt');
  expect(freeName('b.txt', (name) => used.includes(name))).toBe('b.txt');
});

test('the type of a file follows from its extension', () => {
  expect(mimeTypeOf('a.PDF')).toBe('application/pdf');
  expect(mimeTypeOf('README')).toBe('application/octet-stream');
});
