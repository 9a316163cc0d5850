import { expect, test } from 'vitest';
import { buildExecution } from '../testing/executions.ts';
import { marksOf } from './execution-marks.ts';

const words = (fields: Parameters<typeof buildExecution>[1]) =>
  marksOf(buildExecution(1, fields)).map(({ word }) => word);

test('says nothing of an ordinary run', () => {
  expect(words({})).toEqual([]);
});

test('puts what is wrong before what is only good to know', () => {
  expect(words({ match: 'doubtful', attempts: 2, note: 'Called' })).toEqual([
    'May be another job',
    '2 attempts',
    'Note',
  ]);
});
