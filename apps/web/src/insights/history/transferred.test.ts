import { expect, test } from 'vitest';
import { transferredText } from './transferred.ts';

test('says how much of the transferred bytes is known', () => {
  expect(transferredText({ transferredBytes: 1_024 })).toBe('1 KB');
  expect(transferredText({ transferredBytes: 0, isTransferredPartial: false })).toBe('0 B');
  expect(transferredText({ transferredBytes: 1_024, isTransferredPartial: true })).toBe('≥ 1 KB');
  expect(transferredText({ transferredBytes: null, isTransferredPartial: true })).toBe('–');
});
