import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';
import { testFolder } from './test-folder.fixture.ts';

const startedAt = new Date('2026-03-01T10:00:00Z');

test('makes the folder and says which process locks it', async () => {
  const folder = join(await testFolder(), 'a', 'b');
  const release = lockFolder(folder, startedAt);
  expect(await readFile(join(folder, 'keepwatch.pid'), 'utf8')).toBe(`${process.pid} 2026-03-01T10:00:00.000Z\n`);
  release();
});

test('locks a folder once, and again after its release', async () => {
  const folder = await testFolder();
  const release = lockFolder(folder, startedAt);
  expect(() => lockFolder(folder, startedAt)).toThrow(`process ${process.pid}, running since 2026-03-01T10:00:00.000Z`);
  release();
  release();
  lockFolder(folder, startedAt)();
});

test('locks a folder despite what an earlier program left in it', async () => {
  const folder = await testFolder();
  await writeFile(join(folder, 'keepwatch.pid'), '1 2020-01-01T00:00:00.000Z\n');
  await writeFile(join(folder, 'keepwatch.lock'), '');
  expect(() => lockFolder(folder, startedAt)()).not.toThrow();
});

test('explains a path that cannot be a folder', async () => {
  const folder = await testFolder();
  await writeFile(join(folder, 'file'), '');
  expect(() => lockFolder(join(folder, 'file'), startedAt)).toThrow(/Cannot use the folder .*\(EEXIST\).*set DATA_DIR/);
  expect(() => lockFolder(join(folder, 'file', 'data'), startedAt)).toThrow(/\(ENOTDIR\).*set DATA_DIR/);
});

test('reports what is not a matter of holders as it is', async () => {
  const folder = await testFolder();
  await mkdir(join(folder, 'keepwatch.lock'));
  expect(() => lockFolder(folder, startedAt)).toThrow(/EISDIR/);
});
