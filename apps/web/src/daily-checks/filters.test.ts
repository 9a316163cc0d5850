import { expect, test } from 'vitest';
import { belongs, bounded, DEFAULT_FILTERS, filtersOfUser, keptOf, questionOf } from './filters.ts';

const NOW = new Date('2026-03-15T12:00:00.000Z');

test("begins with the specification's filters", () => {
  expect(filtersOfUser(null)).toEqual(DEFAULT_FILTERS);
  expect(keptOf(DEFAULT_FILTERS)).toEqual({
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

test('reads back what it keeps', () => {
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
  expect(filtersOfUser(keptOf(filters))).toEqual(filters);
});

test('passes over what nobody knows any more', () => {
  const kept = { ...keptOf(DEFAULT_FILTERS), dateFilter: 'Someday', stateFilter: 'odd', sourceFilter: ['tape'] };
  expect(filtersOfUser(kept)).toEqual(DEFAULT_FILTERS);
});

test('reads what an older version kept, which knew of no latest runs', () => {
  const { latestFilter: _, ...kept } = keptOf(DEFAULT_FILTERS);
  expect(filtersOfUser(kept)).toEqual(DEFAULT_FILTERS);
});

test('asks for no days where the latest runs of any time are wanted, and always for days of all runs', () => {
  const filters = { ...DEFAULT_FILTERS, latest: true, date: 'Any Time' };
  const question = questionOf(filters, NOW);
  expect(question).not.toHaveProperty('from');
  expect(question).not.toHaveProperty('to');
  expect(question.filter.latest).toBe(true);
  expect(bounded(filters)).toBe(filters);
  expect(bounded({ ...filters, latest: false }).date).toBe(DEFAULT_FILTERS.date);
  expect(filtersOfUser({ ...keptOf(filters), latestFilter: false })).toEqual(DEFAULT_FILTERS);
});

test('asks only for what narrows', () => {
  expect(questionOf(DEFAULT_FILTERS, NOW).filter).toEqual({
    state: 'pending',
    ignored: false,
    anomaly: true,
    latest: false,
  });
  expect(questionOf({ ...DEFAULT_FILTERS, search: '  sql ', managed: 'yes' }, NOW).filter).toMatchObject({
    search: 'sql',
    managed: true,
  });
});

test('puts a single UTC day before the date range', () => {
  const { from, to } = questionOf({ ...DEFAULT_FILTERS, day: '2026-03-01' }, NOW);
  expect([from, to]).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z']);
});

test('puts a range of UTC days before the date range', () => {
  const { from, to } = questionOf({ ...DEFAULT_FILTERS, day: '2026-01-25..2026-01-31' }, NOW);
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
  expect(belongs(state, questionOf({ ...DEFAULT_FILTERS, state: listed, ignored }, NOW))).toBe(expected);
});
