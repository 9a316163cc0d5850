import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { announce } from './project.js';
import { runQuietly } from './quiet-command.js';

/** What the browser application is made of; the build is in `apps/web/dist`. */
const SOURCES = ['apps/web', 'packages/contract/src', 'package-lock.json'];
const PASSED_OVER = new Set(['dist', 'node_modules']);

/**
 * Builds the browser application when its sources are not those of the last build. It is built aside and swapped in
 * when complete: a failed build leaves the last good one.
 * @param {string} project
 * @param {string} node the Node to build with
 * @returns {Promise<void>}
 */
export async function buildWeb(project, node) {
  const web = join(project, 'apps', 'web');
  if (!existsSync(join(web, 'index.html'))) return;
  const dist = join(web, 'dist');
  const marker = '.sources';
  const current = hashSources(project);
  if (existsSync(join(dist, marker)) && readFileSync(join(dist, marker), 'utf8') === current) return;
  announce('Building the browser application …');
  const unfinished = join(project, '.node', 'web-build');
  const vite = join(project, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--outDir', unfinished, '--emptyOutDir', '--logLevel', 'warn'];
  await runQuietly({ what: 'Building the browser application', file: node, args, cwd: web });
  writeFileSync(join(unfinished, marker), current);
  rmSync(dist, { recursive: true, force: true });
  renameSync(unfinished, dist);
}

function hashSources(project) {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesOf(join(project, source))) {
      hash
        .update(`${relative(project, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/** The files of a folder in a fixed order, without tests and what is built or installed; a file is itself. */
function filesOf(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !PASSED_OVER.has(name) && !/\.test\.tsx?$/.test(name))
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}
