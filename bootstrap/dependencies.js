import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announce } from './project.js';
import { runNpm } from './quiet-command.js';

/**
 * Installs the packages of package-lock.json unless exactly these are installed already. What is installed is
 * remembered in `node_modules/.keepwatch-lock`, which `npm ci` removes with everything else before it begins: an
 * interrupted installation is done again.
 * @param {string} project
 * @returns {Promise<void>}
 */
export async function installDependencies(project) {
  const lockText = readFileSync(join(project, 'package-lock.json'), 'utf8');
  const marker = join(project, 'node_modules', '.keepwatch-lock');
  const expected = createHash('sha256').update(`${process.platform}-${process.arch}\n${lockText}`).digest('hex');
  if (readIfThere(marker) === expected) return;
  if (!agrees(JSON.parse(lockText), readIfThere(join(project, 'node_modules', '.package-lock.json')))) {
    announce('Installing the npm packages …');
    await runNpm(
      'Installing the npm packages',
      ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
      project,
    );
  }
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  writeFileSync(marker, expected);
}

/**
 * Does npm's own record of what it installed (`node_modules/.package-lock.json`) hold every package of the lock, in
 * its version? After an `npm install` by hand it does, and nothing has to be fetched again. Packages for other systems
 * are optional and may be missing.
 * @param {{ packages: Record<string, { version?: string, optional?: boolean }> }} lock
 * @param {string | undefined} recordText
 */
export function agrees(lock, recordText) {
  if (recordText === undefined) return false;
  const installed = JSON.parse(recordText).packages ?? {};
  return Object.entries(lock.packages).every(([path, expected]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined ? expected.optional === true : found.version === expected.version;
  });
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
