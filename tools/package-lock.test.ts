import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';

const entry = z.object({
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
});
const lockFile = z.object({ packages: z.record(z.string(), entry) });

const { packages } = lockFile.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')),
);
const fromRegistry = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

/**
 * npm writes no integrity for packages that it found installed without its own record of them. Such a lock is made whole by
 * removing `node_modules` and the incomplete entries before `npm install`.
 */
test('the lock pins the content of every package, also of those for other systems', () => {
  expect(fromRegistry.length).toBeGreaterThan(300);
  const unpinned = fromRegistry.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  expect(unpinned.map(([path]) => path)).toEqual([]);
});

test('the lock names no registry: it installs from any', () => {
  expect(fromRegistry.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});
