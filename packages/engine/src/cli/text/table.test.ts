import { expect, test } from 'vitest';
import { tableText } from './table.ts';
import { widthOf } from './terminal-text.ts';

const uncut = { columns: null, showsIds: false };
const linesOf = (text: string) => text.trimEnd().split('\n');

test('puts columns under each other whatever characters they hold, and numbers to the right', () => {
  const rows = [
    { name: '見積書', bytes: 1_234 },
    { name: 'e\u0301te\u0301 👩‍💻', bytes: 5 },
  ];
  const lines = linesOf(tableText(rows, uncut));
  expect(lines[0]).toBe('name       size');
  expect(new Set(lines.map(widthOf))).toEqual(new Set([15]));
});

test('fits the terminal: the widest texts are cut first, sizes, instants and keys never', () => {
  const row = {
    name: 'Offer '.repeat(20),
    from: 'Ada <ada@contoso.example>',
    date: new Date('2026-11-21T09:30:00'),
    key: 'k'.repeat(22),
  };
  for (const columns of [60, 80, 120, 250]) {
    const lines = linesOf(tableText([row], { columns, showsIds: false }));
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(Math.max(columns, 22 + 16 + 8 + 8 + 6));
    expect(lines[1]).toContain('k'.repeat(22));
    expect(lines[1]).toContain('2026-11-21 09:30');
  }
});

test('leaves out long ids where they do not fit, and gives them whole on lines of their own when asked', () => {
  const rows = [{ name: 'Offer', id: 'A'.repeat(150) }];
  expect(tableText(rows, { columns: 80, showsIds: false })).toBe('name\nOffer\n');
  expect(tableText(rows, { columns: 80, showsIds: true })).toBe(`name\nOffer\n  ${'A'.repeat(150)}\n`);
  expect(linesOf(tableText(rows, uncut))[1]).toBe(`Offer  ${'A'.repeat(150)}`);
});

test('shows no column that is empty, and nothing at all for no rows', () => {
  expect(tableText([{ name: 'a', lost: null, from: undefined }], uncut)).toBe('name\na\n');
  expect(tableText([], uncut)).toBe('');
});

test('shows what would move the cursor or turn the line around as something harmless', () => {
  expect(tableText([{ name: 'a\u001b[2J\nb\u202ec\u2028' }], uncut)).toBe('name\na\ufffd[2J\ufffdb\ufffdc\ufffd\n');
});
