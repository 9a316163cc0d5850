import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { agrees, installDependencies } from './dependencies.js';
import { folderWith } from './folder.fixture.js';
import { packed, registryWith } from './registry.fixture.js';

afterEach(() => vi.unstubAllEnvs());

/** A project with one workspace and no package from elsewhere: npm installs it without a network. */
function project() {
  const workspace = { name: 'one', version: '1.0.0' };
  const lock = {
    name: 'project',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'project', workspaces: ['one'] },
      'node_modules/one': { resolved: 'one', link: true },
      one: { version: '1.0.0' },
    },
  };
  return folderWith({
    'package.json': JSON.stringify({ name: 'project', private: true, workspaces: ['one'] }),
    'package-lock.json': JSON.stringify(lock),
    'one/package.json': JSON.stringify(workspace),
  });
}

describe('installing', () => {
  test('installs what the lock names, once', async () => {
    const folder = project();
    await installDependencies(folder);
    expect(existsSync(join(folder, 'node_modules', 'one', 'package.json'))).toBe(true);
    const trace = join(folder, 'node_modules', 'trace');
    writeFileSync(trace, 'npm ci would remove this');
    await installDependencies(folder);
    expect(existsSync(trace)).toBe(true);
  });

  test('installs again when the lock has changed', async () => {
    const folder = project();
    await installDependencies(folder);
    const trace = join(folder, 'node_modules', 'trace');
    writeFileSync(trace, 'npm ci removes this');
    const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
    writeFileSync(join(folder, 'package-lock.json'), lock.replaceAll('1.0.0', '1.0.1'));
    writeFileSync(join(folder, 'one', 'package.json'), JSON.stringify({ name: 'one', version: '1.0.1' }));
    await installDependencies(folder);
    expect(existsSync(trace)).toBe(false);
  });

  test('recognizes an installation made by hand', async () => {
    const folder = project();
    await installDependencies(folder);
    rmSync(join(folder, 'node_modules', '.keepwatch-lock'));
    const trace = join(folder, 'node_modules', 'trace');
    writeFileSync(trace, 'npm ci would remove this');
    await installDependencies(folder);
    expect(existsSync(trace)).toBe(true);
    expect(existsSync(join(folder, 'node_modules', '.keepwatch-lock'))).toBe(true);
  });

  test('shows what npm said when it fails, and does not count it as done', async () => {
    const folder = project();
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'project', dependencies: { lacking: '1.0.0' } }),
    );
    await expect(installDependencies(folder)).rejects.toThrow(/Installing the npm packages failed[\s\S]*lacking/);
    expect(existsSync(join(folder, 'node_modules', '.keepwatch-lock'))).toBe(false);
  });
});

describe('the content of a package', () => {
  /** A project whose lock pins `pinned`, and names no registry. */
  function projectWith({ name, version, integrity }) {
    const dependencies = { [name]: version };
    const packages = {
      '': { name: 'project', dependencies },
      [`node_modules/${name}`]: { version, integrity },
    };
    return folderWith({
      'package.json': JSON.stringify({ name: 'project', private: true, dependencies }),
      'package-lock.json': JSON.stringify({ name: 'project', lockfileVersion: 3, requires: true, packages }),
    });
  }

  test('is installed when it is what the lock pins', async () => {
    const genuine = packed('pinned', '1.0.0', { 'index.js': '' });
    await registryWith(genuine);
    const folder = projectWith(genuine);
    await installDependencies(folder);
    expect(existsSync(join(folder, 'node_modules', 'pinned', 'index.js'))).toBe(true);
  });

  test('is refused when it is not what the lock pins', async () => {
    const genuine = packed('pinned', '1.0.0', { 'index.js': '' });
    await registryWith(packed('pinned', '1.0.0', { 'index.js': 'tampered' }));
    const folder = projectWith(genuine);
    await expect(installDependencies(folder)).rejects.toThrow(/EINTEGRITY/);
    expect(existsSync(join(folder, 'node_modules', '.keepwatch-lock'))).toBe(false);
  });
});

describe("npm's record of an installation", () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true },
    },
  };

  test('agrees with the lock when only packages for other systems are missing', () => {
    expect(agrees(lock, JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }))).toBe(true);
  });

  test.each([
    ['there is none', undefined],
    ['a package is missing', JSON.stringify({ packages: {} })],
    ['a version differs', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.1' } } })],
  ])('does not agree when %s', (_, record) => {
    expect(agrees(lock, record)).toBe(false);
  });
});
