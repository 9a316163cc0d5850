import { afterEach, expect, test, vi } from 'vitest';
import { nativeEnvironment, runNativeProgram } from './native-program.ts';

afterEach(() => vi.unstubAllEnvs());

test("keeps the caller's PostgreSQL variables and language from PostgreSQL's programs", () => {
  vi.stubEnv('PGDATA', '/elsewhere');
  vi.stubEnv('PGPORT', '1');
  vi.stubEnv('LC_ALL', 'de_DE.UTF-8');
  expect(nativeEnvironment()).not.toHaveProperty('PGDATA');
  expect(nativeEnvironment()).not.toHaveProperty('PGPORT');
  expect(nativeEnvironment()).toMatchObject({ LC_ALL: 'C', TZ: 'UTC' });
});

test('gives back exit code and both outputs', async () => {
  const script = `console.log('out'); console.error('err'); process.exitCode = 3;`;
  const { exitCode, output } = await runNativeProgram(process.execPath, ['-e', script], undefined);
  expect(exitCode).toBe(3);
  expect(output.split('\n').filter(Boolean).sort()).toEqual(['err', 'out']);
});

test('a program that is not there is an error', async () => {
  await expect(runNativeProgram('/nowhere/initdb', [], undefined)).rejects.toThrow(/ENOENT/);
});
