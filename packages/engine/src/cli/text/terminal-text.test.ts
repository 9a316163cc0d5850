import { expect, test } from 'vitest';
import { cut, harmless, padEnd, padStart, widthOf } from './terminal-text.ts';

test('cuts to columns, not to characters, and halves nothing a reader sees as one', () => {
  expect(cut('見積書の件', 7)).toBe('見積書…');
  expect(cut('👩‍💻👩‍💻👩‍💻', 5)).toBe('👩‍💻👩‍💻…');
  expect(cut('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
  expect(cut('whole', 5)).toBe('whole');
  expect(cut('gone', 0)).toBe('');
});

test('never takes more columns than it was given, and fills up to them', () => {
  for (const text of ['見積書の件', 'Offer 2026', '👩‍💻 and more', 'Αναφορά'])
    for (let columns = 1; columns < 14; columns += 1) {
      expect(widthOf(cut(text, columns))).toBeLessThanOrEqual(columns);
      expect(widthOf(padEnd(cut(text, columns), columns))).toBe(columns);
      expect(widthOf(padStart(cut(text, columns), columns))).toBe(columns);
    }
});

test('leaves emoji that are joined as they are', () => {
  expect(harmless('👩‍💻 \u0000')).toBe('👩‍💻 \ufffd');
});
