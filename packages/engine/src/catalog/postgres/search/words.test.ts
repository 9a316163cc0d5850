import { expect, it } from 'vitest';
import { addressesOf, wholeWords, wordsOf } from './words.ts';

const words = (text: string) => [...wordsOf(text)].map(({ word, place }) => `${word}@${place}`);

it('words are runs of letters and digits, without case and accents, at their places', () => {
  expect(words('Zoë’s OFFER, n° 42!')).toEqual(['zoe@0', 's@1', 'offer@2', 'n@3', '42@4']);
});

it.each([
  ['QuarterReport_2026-final.XLSX', ['quarterreport@0', 'quarter@0', 'report@0', '2026@1', 'final@2', 'xlsx@3']],
  ['PDFReader2', ['pdfreader2@0', 'pdf@0', 'reader@0', '2@0']],
  ['ada.lovelace@contoso.example', ['ada@0', 'lovelace@1', 'contoso@2', 'example@3']],
])('of %s the parts are words as well, at the place of the whole', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

it('a script without spaces gives a word a character, so that any part of a text is found', () => {
  expect(words('東京 tower')).toEqual(['東@0', '京@1', 'tower@2']);
  expect(wholeWords('京')).toEqual(['京']);
});

it.each([
  ['Teams회의록.pdf', ['teams', '회의록', 'pdf']],
  ['보고서2026final', ['보고서', '2026final']],
  ['PDF를', ['pdf', '를']],
  ['東京Tower会議', ['東', '京', 'tower', '会', '議']],
])('%s is cut where the script changes', (text, expected) => {
  expect(wholeWords(text)).toEqual(expected.map((word) => word.normalize('NFKD')));
});

it('a question has the words of runs alone, since a run matches as a whole', () => {
  expect(wholeWords('QuarterReport_2026')).toEqual(['quarterreport', '2026']);
  expect(wholeWords(' -- ')).toEqual([]);
});

it('a word of any length is cut at the same place in texts and questions', () => {
  const long = 'x'.repeat(500);
  expect(words(long)).toEqual([`${wholeWords(long)[0]}@0`]);
  expect(wholeWords(long)[0]).toHaveLength(64);
});

it('an address is also known as a whole, by its local part and by its domain', () => {
  expect(addressesOf('Ada <Ada.Lovelace@Mail.Contoso.example>, bob@x.example')).toEqual([
    'ada.lovelace@mail.contoso.example',
    'ada.lovelace',
    'mail.contoso.example',
    'bob@x.example',
    'bob',
    'x.example',
  ]);
  expect(addressesOf('no address @ all')).toEqual([]);
});
