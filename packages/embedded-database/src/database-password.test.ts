import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePassword, readPassword } from './database-password.ts';
import { testFolder } from './test-folder.fixture.ts';

test('makes 256 random bits that are read back as they were made', async () => {
  const folder = await testFolder();
  const password = await makePassword(folder);
  expect(password).toMatch(/^[0-9a-f]{64}$/);
  expect(await readPassword(folder)).toBe(password);
  expect(await makePassword(folder)).not.toBe(password);
});

test('is readable by its account alone, whatever was there before', async () => {
  const folder = await testFolder();
  await writeFile(join(folder, 'database-password.unfinished'), 'half', { mode: 0o644 });
  await chmod(join(folder, 'database-password.unfinished'), 0o644);
  await makePassword(folder);
  expect((await stat(join(folder, 'database-password'))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['database-password']);
});

test('a missing one is named, with what to do', async () => {
  const folder = await testFolder();
  await expect(readPassword(folder)).rejects.toThrow(`${join(folder, 'database-password')} is missing`);
});

test('explains why it cannot be stored', async () => {
  const folder = await testFolder();
  await writeFile(join(folder, 'file'), '');
  await expect(makePassword(join(folder, 'file'))).rejects.toThrow(/Cannot write .*database-password \(ENOTDIR\)/);
});
