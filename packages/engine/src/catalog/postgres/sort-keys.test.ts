import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Item } from '../../model/items.ts';
import { sortDate, sortName } from './sort-keys.ts';

const compare = (a: string, b: string) => Buffer.compare(Buffer.from(sortName(a)), Buffer.from(sortName(b)));

it('numbers in names sort by their value, however they are written', () => {
  const numbers = fc.tuple(fc.nat(), fc.nat(), fc.nat(3));
  fc.assert(
    fc.property(numbers, ([a, b, zeros]) => {
      expect(Math.sign(compare(`Report ${'0'.repeat(zeros)}${a}.pdf`, `report ${b}.PDF`))).toBe(Math.sign(a - b));
    }),
  );
});

it('numbers too long for a number sort by their length first', () => {
  expect(compare(`1${'0'.repeat(20)}`, '99999999999')).toBe(1);
  expect(compare('123456789', '12345678')).toBe(1);
});

it('case, accents and leading spaces do not count', () => {
  expect(sortName('  Éclair')).toBe(sortName('eclair'));
});

/** With what is no character at all, should a source send it. */
const SIGNS = fc.constantFrom('a', 'É', 'ß', '\0', '\t', '\ud800', '日', '9', '0', ' ', '🎈', 'ﬃ');

it('a key is short and storable, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: SIGNS, maxLength: 300 }), (name) => {
      expect(sortName(name).length).toBeLessThanOrEqual(100);
      expect(sortName(name).isWellFormed()).toBe(true);
      expect(sortName(name)).not.toContain('\0');
    }),
  );
});

const item = (over: Partial<Item>): Item => ({
  id: 'a',
  kind: 'message',
  parentId: null,
  name: 'a',
  sizeBytes: 0,
  modifiedAt: new Date('2026-01-05T00:00:00Z'),
  details: {},
  ...over,
});
const details = {
  receivedAt: '2026-01-01T00:00:00Z',
  sentAt: '2025-12-31T00:00:00Z',
  startsAt: '2026-02-01T00:00:00Z',
};

it('messages sort by when they came, events by when they start, files by when they were changed', () => {
  expect(new Date(sortDate(item({ details })))).toEqual(new Date('2026-01-01T00:00:00Z'));
  expect(new Date(sortDate(item({ kind: 'event', details })))).toEqual(new Date('2026-02-01T00:00:00Z'));
  expect(new Date(sortDate(item({ kind: 'file', details })))).toEqual(new Date('2026-01-05T00:00:00Z'));
});

it('what has no date, or none that can be read, comes before all others', () => {
  const none = sortDate(item({ modifiedAt: null, details: { receivedAt: 'yesterday' } }));
  expect(none).toBeLessThan(sortDate(item({ modifiedAt: new Date('0002-01-01T00:00:00Z') })));
  expect(Number.isSafeInteger(none)).toBe(true);
});
