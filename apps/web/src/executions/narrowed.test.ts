import { expect, test } from 'vitest';
import { DEFAULT_FILTERS } from './filters.ts';
import { narrowedTo, unnarrowed } from './narrowed.ts';

const NAMES = { company: (id: string) => `Company ${id}`, job: (id: string) => `Job ${id}` };

test('names all that narrows a list, and nothing that is a default', () => {
  expect(narrowedTo(DEFAULT_FILTERS, NAMES)).toEqual([]);
  const filters = {
    ...DEFAULT_FILTERS,
    state: 'all',
    company: ['1'],
    job: ['2'],
    result: ['DidntRun'],
    doubtful: true,
    source: ['office365'],
    managed: 'no',
    search: ' sql ',
    anomaly: false,
  } as const;
  expect(narrowedTo(filters, NAMES)).toEqual([
    'Company 1',
    'Job 2',
    "Didn't run",
    'Doubtful',
    'Microsoft 365',
    'companies not managed',
    '“sql”',
    'no anomalies',
  ]);
});

test('keeps days, state and view of a list that is no longer narrowed', () => {
  const stored = { ...DEFAULT_FILTERS, date: 'Today', state: 'resolved', latest: true, ignored: true } as const;
  expect(unnarrowed({ ...stored, company: ['1'], search: 'sql', anomaly: false })).toEqual(stored);
});
