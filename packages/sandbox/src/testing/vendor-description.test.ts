import { expect, test } from 'vitest';
import { missingDescription, readVendorDescription } from './vendor-description.ts';

test('a description that is not at hand is none, and no error', () => {
  expect(readVendorDescription('no-such-vendor.json')).toBeNull();
});

test('what is skipped without it says which file is missed, and where', () => {
  expect(missingDescription('no-such-vendor.json')).toMatch(
    /^SKIPPED: .*[\\/]shared[\\/]vendor-apis[\\/]no-such-vendor\.json is not there$/,
  );
});
