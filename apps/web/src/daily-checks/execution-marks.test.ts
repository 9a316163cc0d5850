import { ANOMALIES } from '@keepwatch/contract/monitoring/values';
import { expect, test } from 'vitest';
import { marksOf } from './execution-marks.ts';
import { buildExecution } from './testing/executions.ts';

const words = (fields: Parameters<typeof buildExecution>[1]) =>
  marksOf(buildExecution(1, fields)).map(({ word }) => word);

test('says nothing of an ordinary run', () => {
  expect(words({})).toEqual([]);
});

test('has a word for every anomaly, no two the same', () => {
  const all = words({ anomalies: [...ANOMALIES] });
  expect(new Set(all).size).toBe(ANOMALIES.length);
});

test('puts what is wrong before what is only good to know', () => {
  expect(words({ anomalies: ['size'], match: 'doubtful', attempts: 2, note: 'Called' })).toEqual([
    'Unusual size',
    'Doubtful match',
    '2 tries',
    'Note',
  ]);
});
