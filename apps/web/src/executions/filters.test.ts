import { expect, test } from 'vitest';
import { belongs, bounded, DEFAULT_FILTERS, filtersOfUser, runQueryOf, storedOf } from './filters.ts';

const NOW = new Date('2026-03-15T12:00:00.000Z');

test("begins with the specification's filters", () => {
  expect(filtersOfUser(null)).toEqual(DEFAULT_FILTERS);
  expect(storedOf(DEFAULT_FILTERS)).toEqual({
    companyIds: [],
    sourceFilter: [],
    filterType: [],
    ignoredFilter: false,
    anomalyFilter: true,
    latestFilter: false,
    dateFilter: 'Last 2 Days',
    managedFilter: null,
    stateFilter: 'pending',
  });
});

test('reads back what it stores', () => {
  const filters = {
    ...DEFAULT_FILTERS,
    date: 'Last 7 Days',
    source: ['office365'] as const,
    result: ['Failed', 'Warning'] as const,
    state: 'all' as const,
    ignored: true,
    anomaly: false,
    latest: true,
    managed: 'no' as const,
  };
  expect(filtersOfUser(storedOf(filters))).toEqual(filters);
});

test('ignores unknown values', () => {
  const stored = { ...storedOf(DEFAULT_FILTERS), dateFilter: 'Someday', stateFilter: 'odd', sourceFilter: ['tape'] };
  expect(filtersOfUser(stored)).toEqual(DEFAULT_FILTERS);
});

test('reads what an older version stored, which had no filter for latest runs', () => {
  const { latestFilter: _, ...stored } = storedOf(DEFAULT_FILTERS);
  expect(filtersOfUser(stored)).toEqual(DEFAULT_FILTERS);
});

test('asks for no days if the latest runs of any time are requested, and always for days of all runs', () => {
  const filters = { ...DEFAULT_FILTERS, latest: true, date: 'Any Time' };
  const runQuery = runQueryOf(filters, NOW);
  expect(runQuery).not.toHaveProperty('from');
  expect(runQuery).not.toHaveProperty('to');
  expect(runQuery.filter.latest).toBe(true);
  expect(bounded(filters)).toBe(filters);
  expect(bounded({ ...filters, latest: false }).date).toBe(DEFAULT_FILTERS.date);
  expect(filtersOfUser({ ...storedOf(filters), latestFilter: false })).toEqual(DEFAULT_FILTERS);
});

test('asks only for what narrows', () => {
  expect(runQueryOf(DEFAULT_FILTERS, NOW).filter).toEqual({
    state: 'pending',
    ignored: false,
    anomaly: true,
    latest: false,
  });
  expect(runQueryOf({ ...DEFAULT_FILTERS, search: '  sql ', managed: 'yes' }, NOW).filter).toMatchObject({
    search: 'sql',
    managed: true,
  });
});

test('puts a single UTC day before the date range', () => {
  const { from, to } = runQueryOf({ ...DEFAULT_FILTERS, day: '2026-03-01' }, NOW);
  expect([from, to]).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z']);
});

test('puts a range of UTC days before the date range', () => {
  const { from, to } = runQueryOf({ ...DEFAULT_FILTERS, day: '2026-01-25..2026-01-31' }, NOW);
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
  expect(belongs(state, runQueryOf({ ...DEFAULT_FILTERS, state: listed, ignored }, NOW))).toBe(expected);
});
