import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { missingDescription, readVendorDescription } from './vendor-description.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a description is read from the folder that the setting names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-descriptions-'));
  vi.stubEnv('VENDOR_APIS', folder);
  await writeFile(join(folder, 'vendor.json'), '{"openapi":"3.0.1"}');
  expect(readVendorDescription('vendor.json')).toEqual({ openapi: '3.0.1' });
  await rm(folder, { recursive: true });
});

test('a description that is not at hand is none, and no error', () => {
  expect(readVendorDescription('no-such-vendor.json')).toBeNull();
});

test('what is skipped without it says which file is missed, and where', () => {
  vi.stubEnv('VENDOR_APIS', join('descriptions', 'of-vendors'));
  expect(missingDescription('no-such-vendor.json')).toMatch(
    /^SKIPPED: .*descriptions[\\/]of-vendors[\\/]no-such-vendor\.json is not there \(VENDOR_APIS names the folder\)$/,
  );
});
