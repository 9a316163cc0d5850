import { UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import { expect, test } from 'vitest';
import { dailyChecksFilters } from '../entities/daily-checks.ts';
import { belongs, DEFAULT_FILTERS, runQueryOf } from './filters.ts';

const ID = '0193a000-0000-7000-8000-000000000001';
const NOW = new Date('2026-03-15T12:00:00.000Z');

const { saved, restored, settle } = dailyChecksFilters;

test("begins with the specification's filters", () => {
  expect(restored(undefined)).toEqual(DEFAULT_FILTERS);
  expect(DEFAULT_FILTERS).toMatchObject({
    date: 'Last 2 Days',
    company: [],
    source: [],
    result: [],
    state: 'pending',
    ignored: false,
    anomaly: true,
    latest: false,
    managed: 'any',
  });
});

test('reads back what it stores, as an address says it', () => {
  const filters = {
    ...DEFAULT_FILTERS,
    date: 'Last 7 Days',
    source: ['office365'] as const,
    result: ['Failed', 'Warning'] as const,
    doubtful: true,
    state: 'all' as const,
    ignored: true,
    anomaly: false,
    latest: true,
    managed: 'no' as const,
  };
  expect(restored(saved(filters))).toEqual(filters);
  expect(saved(filters)).toEqual({
    date: ['Last 7 Days'],
    source: ['office365'],
    result: ['Failed', 'Warning'],
    doubtful: ['true'],
    state: ['all'],
    ignored: ['true'],
    anomaly: ['false'],
    latest: ['true'],
    managed: ['no'],
  });
});

test('stores no search, job or days of a link', () => {
  const filters = { ...DEFAULT_FILTERS, search: 'sql', job: [ID], day: '2026-03-01', unassigned: true };
  expect(saved(filters)).toEqual(saved(DEFAULT_FILTERS));
});

test('ignores unknown values, and filters that are not saved', () => {
  const odd = { date: ['Someday'], state: ['odd'], source: ['tape'], search: ['sql'], tape: ['true'] };
  expect(restored(odd)).toEqual(DEFAULT_FILTERS);
});

test('asks for no days if the latest runs of any time are requested, and always for days of all runs', () => {
  const filters = { ...DEFAULT_FILTERS, latest: true, date: 'Any Time' };
  const runQuery = runQueryOf(filters, NOW, UTC_CLOCK);
  expect(runQuery).not.toHaveProperty('from');
  expect(runQuery).not.toHaveProperty('to');
  expect(runQuery.filter.latest).toBe(true);
  expect(settle(filters)).toBe(filters);
  expect(settle({ ...filters, latest: false }).date).toBe(DEFAULT_FILTERS.date);
  expect(restored({ date: ['Any Time'], state: ['pending'] })).toEqual(DEFAULT_FILTERS);
});

test('asks only for what narrows', () => {
  expect(runQueryOf(DEFAULT_FILTERS, NOW, UTC_CLOCK).filter).toEqual({
    state: 'pending',
    ignored: false,
    anomaly: true,
    latest: false,
  });
  expect(runQueryOf({ ...DEFAULT_FILTERS, search: '  sql ', managed: 'yes' }, NOW, UTC_CLOCK).filter).toMatchObject({
    search: 'sql',
    managed: true,
  });
});

test('puts a single UTC day before the date range', () => {
  const { from, to } = runQueryOf({ ...DEFAULT_FILTERS, day: '2026-03-01' }, NOW, UTC_CLOCK);
  expect([from, to]).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z']);
});

test('puts a range of UTC days before the date range', () => {
  const { from, to } = runQueryOf({ ...DEFAULT_FILTERS, day: '2026-01-25..2026-01-31' }, NOW, UTC_CLOCK);
  expect([from, to]).toEqual(['2026-01-25T00:00:00.000Z', '2026-01-31T23:59:59.999Z']);
});

test.each([
  ['pending', 'pending', false, true],
  ['resolved', 'pending', false, false],
  ['resolved', 'all', false, true],
  ['ignored', 'all', false, false],
  ['ignored', 'all', true, true],
  ['ignored', 'ignored', false, true],
  ['ignored', 'pending', true, true],
] as const)('a run that is %s in a list of %s (ignored shown: %s) belongs: %s', (state, listed, ignored, expected) => {
  expect(belongs(state, runQueryOf({ ...DEFAULT_FILTERS, state: listed, ignored }, NOW, UTC_CLOCK))).toBe(expected);
});
