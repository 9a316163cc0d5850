import { chmod, mkdir, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseClusterParent, findCluster, linkCluster } from './cluster-location.ts';
import { testFolder } from './test-folder.fixture.ts';
import { runsAsRoot } from './unprivileged-account.ts';

test('finds no database in a folder that has none', async () => {
  expect(await findCluster(await testFolder())).toBeUndefined();
});

test('finds the database in the data folder, or where its link leads', async () => {
  const folder = await testFolder();
  await mkdir(join(folder, 'postgres'));
  expect(await findCluster(folder)).toBe(await realpath(join(folder, 'postgres')));

  const other = await testFolder();
  await symlink(join(folder, 'postgres'), join(other, 'postgres'));
  expect(await findCluster(other)).toBe(await realpath(join(folder, 'postgres')));
});

test('does not treat a link that leads nowhere as a first start', async () => {
  const folder = await testFolder();
  await symlink('/nowhere/postgres', join(folder, 'postgres'));
  await expect(findCluster(folder)).rejects.toThrow(/points to is gone\. Bring it back, or remove/);
});

test('puts a new database into the data folder where nothing speaks against it, and links nothing', async () => {
  const folder = await realpath(await testFolder());
  expect(await chooseClusterParent(folder, undefined)).toBe(folder);
  await linkCluster(folder, join(folder, 'postgres'));
  await expect(readlink(join(folder, 'postgres'))).rejects.toThrow(/ENOENT/);
});

test.skipIf(runsAsRoot())('says so when an ordinary account may not read the data folder', async () => {
  const folder = await testFolder();
  await mkdir(join(folder, 'data', 'postgres'), { recursive: true });
  await chmod(join(folder, 'data'), 0o000);
  await expect(findCluster(join(folder, 'data'))).rejects.toThrow(/Cannot read .* \(EACCES\)\. Give the account/);
  await chmod(join(folder, 'data'), 0o700);
  await rm(join(folder, 'data'), { recursive: true });
});
