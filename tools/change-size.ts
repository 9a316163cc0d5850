import { execFileSync } from 'node:child_process';
import { ROOT } from './source-files.ts';

/**
 * What it takes to add the next thing: `node tools/change-size.ts [REVISIONS]` prints a table of the commits that say in their message
 * what they add (`Adds: a list call with its screen`), with the files and lines of each. A commit that adds several things is no price of
 * one of them; generated files are not counted.
 */

const NOT_WRITTEN = ['package-lock.json', 'apps/server/migrations/meta'];
const TEST = /\.(test|spec|property\.test|fixture|suite)\.tsx?$|\/testing\/|^apps\/e2e\//;

interface ChangeSize {
  adds: string;
  commit: string;
  files: number;
  newFiles: number;
  lines: number;
  testLines: number;
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
}

/** The commits of a range that say what they add, oldest first. */
function addingCommits(revisions: string): { commit: string; adds: string }[] {
  const printed = git('log', '--reverse', '--format=%h%x09%(trailers:key=Adds,valueonly,separator=%x2C )', revisions);
  return printed
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([commit = '', adds = '']) =>
      adds.trim() === '' || adds.includes(',') ? [] : [{ commit, adds: adds.trim() }],
    );
}

function sizeOf({ commit, adds }: { commit: string; adds: string }): ChangeSize {
  const paths = ['--', '.', ...NOT_WRITTEN.map((path) => `:!${path}`)];
  const changed = git('show', '--numstat', '--format=', commit, ...paths)
    .split('\n')
    .filter(Boolean)
    .map(numbersOf);
  const added = git('show', '--diff-filter=A', '--name-only', '--format=', commit, ...paths)
    .split('\n')
    .filter(Boolean);
  const tests = changed.filter(({ path }) => TEST.test(path));
  return { adds, commit, files: changed.length, newFiles: added.length, lines: sum(changed), testLines: sum(tests) };
}

function numbersOf(line: string): { path: string; lines: number } {
  const [added = '0', , path = ''] = line.split('\t');
  return { path, lines: Number(added) || 0 };
}

function sum(changed: readonly { lines: number }[]): number {
  return changed.reduce((lines, file) => lines + file.lines, 0);
}

const sizes = addingCommits(process.argv[2] ?? 'HEAD').map(sizeOf);
const heads = ['to add', 'commit', 'files', 'of them new', 'lines', 'of them tests'];
const cells = sizes.map(({ adds, commit, files, newFiles, lines, testLines }) => [
  adds,
  commit,
  files,
  newFiles,
  lines,
  testLines,
]);
for (const line of [heads, heads.map(() => '---'), ...cells]) process.stdout.write(`| ${line.join(' | ')} |\n`);
