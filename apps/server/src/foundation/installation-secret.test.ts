import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import {
  findSecretSource,
  openSecretSource,
  removePreviousSecretFile,
  rotateSecretFile,
} from './installation-secret.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'keepwatch-secret-')), 'data');
});

const open = (given: { KEEPWATCH_SECRET?: string; KEEPWATCH_PREVIOUS_SECRET?: string } = {}) =>
  openSecretSource({ KEEPWATCH_SECRET: '', KEEPWATCH_PREVIOUS_SECRET: '', DATA_DIR: dataDir, ...given });

it('is created and stored once, also by ten that start together, and readable by its owner alone', async () => {
  const sources = await Promise.all(Array.from({ length: 10 }, () => open()));
  expect(new Set(sources.map((source) => source.read().current)).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['secret']);
  expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
  expect((await readFile(join(dataDir, 'secret'), 'utf8')).length).toBeGreaterThan(40);
});

it('is the one given, where one is given, with the one before it', async () => {
  const source = await open({ KEEPWATCH_SECRET: 'given', KEEPWATCH_PREVIOUS_SECRET: 'before' });
  expect(source.read()).toEqual({ current: 'given', previous: 'before' });
  expect([source.origin, source.previousOrigin()]).toEqual(['environment', 'environment']);
  const alone = await open({ KEEPWATCH_SECRET: 'given' });
  expect([alone.read(), alone.previousOrigin()]).toEqual([{ current: 'given', previous: null }, null]);
});

it('is not made where one only looks for it', async () => {
  const settings = { KEEPWATCH_SECRET: '', KEEPWATCH_PREVIOUS_SECRET: '', DATA_DIR: dataDir };
  expect(await findSecretSource(settings)).toBeNull();
  const { current } = (await open()).read();
  expect((await findSecretSource(settings))?.read().current).toBe(current);
});

it('is a new one after a rotation for every process at once, and the previous one stays until it is removed', async () => {
  const [one, other] = [await open(), await open()];
  const { current: before } = one.read();
  await rotateSecretFile(dataDir);
  const after = other.read();
  expect(after.previous).toBe(before);
  expect(after.current).not.toBe(before);
  expect([one.read(), one.previousOrigin()]).toEqual([after, 'file']);
  for (const name of ['secret', 'secret.previous']) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
  await removePreviousSecretFile(dataDir);
  expect([one.read(), one.previousOrigin()]).toEqual([{ current: after.current, previous: null }, null]);
});

it('stays in force where a rotation was killed after it stored the previous one', async () => {
  const source = await open();
  const { current } = source.read();
  await writeFile(join(dataDir, 'secret.previous'), current);
  expect(source.read()).toEqual({ current, previous: current });
  await rotateSecretFile(dataDir);
  expect(source.read().previous).toBe(current);
});

it('is known on while its folder is out of reach', async () => {
  const source = await open();
  const { current } = source.read();
  await rm(dataDir, { recursive: true });
  expect(source.read().current).toBe(current);
});
