import { expect, test } from 'vitest';
import { missingPacksText } from './missing-packs-text.ts';

test('says how many packs are missing where, and how that comes', () => {
  const ending = 'as in a copy that was made while a backup ran.';
  expect(missingPacksText(1, 'the store')).toBe(`1 pack that journals speak of is not in the store, ${ending}`);
  expect(missingPacksText(1_200, '/backup')).toBe(`1,200 packs that journals speak of are not in /backup, ${ending}`);
});
