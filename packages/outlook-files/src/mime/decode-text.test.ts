import { expect, it } from 'vitest';
import { decodePlainText, decodeText } from './decode-text.ts';

it.each([
  ['utf-8', 'c3a4e697a5', 'ä日'],
  ['iso-8859-1', 'e4', 'ä'],
  ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
  ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
  ['shift_jis', '93fa967b', '日本'],
  ['gb18030', 'cad5bcfecfe4', '收件箱'],
  ['euc-kr', 'b9de', '받'],
  ['  UTF-8 ', 'c3a4', 'ä'],
  ['utf-7', Buffer.from('A+ImIDkQ.').toString('hex'), 'A≢Α.'],
  ['unicode-1-1-utf-7', Buffer.from('+ZeVnLIqe- 1 +- 1 + 1').toString('hex'), '日本語 1 + 1 + 1'],
  ['x-unicode-2-0-utf-7', Buffer.from('+2D3eAA-/+AOk').toString('hex'), '😀/é'],
])('decodes %s', (charset, hex, expected) => {
  expect(decodeText(Buffer.from(hex, 'hex'), charset)).toBe(expected);
});

it.each([
  ['no character set and UTF-8', false, 'c3a4', 'ä'],
  ['no character set and something else', false, 'e4', 'ä'],
  ['a character set that is not known', 'x-unknown', 'e4', 'ä'],
  ['what says it is UTF-8 and is not', 'utf-8', 'e420', 'ä '],
] as const)('guesses %s', (_, charset, hex, expected) => {
  expect(decodeText(Buffer.from(hex, 'hex'), charset)).toBe(expected);
});

it('joins the lines that a sender broke for transport, and no others', () => {
  const bytes = Buffer.from('one \r\ntwo\r\nthree');
  expect(decodePlainText(bytes, { charset: 'utf-8', flowed: true, delSp: false }).split(/\r?\n/)).toEqual([
    'one two',
    'three',
  ]);
  expect(decodePlainText(bytes, { charset: 'utf-8', flowed: false, delSp: false })).toBe('one \r\ntwo\r\nthree');
});
