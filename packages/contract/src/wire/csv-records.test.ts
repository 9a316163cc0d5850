import { expect, test } from 'vitest';
import { createCsvRecords } from './csv-records.ts';

function recordsOf(...pieces: string[]) {
  const records = createCsvRecords();
  for (const piece of pieces) records.push(new TextEncoder().encode(piece));
  return { count: records.count(), isAtEnd: records.isAtEnd() };
}

test.each([
  ['a heading and a line', 'a,b\r\n1,2\r\n', 2],
  ['line breaks and quotes within a field', 'a\r\n"one\r\ntwo ""x""\n"\r\n', 2],
  ['an empty field in quotes', 'a,b\r\n"",2\r\n', 2],
  ['a byte order mark and letters of several bytes', '\uFEFFName\r\nMüller ✓\r\n', 2],
])('%s are counted as records that have ended', (_, text, count) => {
  expect(recordsOf(text)).toEqual({ count, isAtEnd: true });
});

test.each([
  ['nothing', ''],
  ['half a line', 'a,b\r\n1,'],
  ['a line without its line feed', 'a,b\r\n1,2\r'],
  ['a line break within quotes', 'a,b\r\n1,"two\r\n'],
])('a text cannot end after %s', (_, text) => {
  expect(recordsOf(text).isAtEnd).toBe(false);
});

test('it is the same however the text is cut into pieces', () => {
  const text = 'a,b\r\n"x\r\n""y""",2\r\n3,4\r\n';
  for (let at = 0; at <= text.length; at += 1)
    expect(recordsOf(text.slice(0, at), text.slice(at)), `cut at ${at}`).toEqual({ count: 3, isAtEnd: true });
});
