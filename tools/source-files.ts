import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** The repository's root. */
export const ROOT = join(import.meta.dirname, '..');

export interface SourceFile {
  /** From the root, with slashes. */
  path: string;
  /** What it imports: other files of the project by path, packages by name. Types count: they bind as much as values do. */
  imports: readonly string[];
}

/** The folder of each workspace by the name of its package. */
const PACKAGE_FOLDERS = new Map(
  globSync(['apps/*/package.json', 'packages/*/package.json'], { cwd: ROOT }).map((file) => [
    packageName(readFileSync(join(ROOT, file), 'utf8')),
    posix.dirname(file.replaceAll('\\', '/')),
  ]),
);

function packageName(text: string): string {
  const parsed: unknown = JSON.parse(text);
  const isNamed = typeof parsed === 'object' && parsed !== null && 'name' in parsed;
  if (!isNamed || typeof parsed.name !== 'string') throw new Error('A package.json of the workspaces has no name.');
  return parsed.name;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

/** Files that match the patterns and that git tracks or would track: paths from the root, with slashes. */
export function listFiles(...patterns: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\n').filter((path) => path !== ''))];
}

/** All TypeScript of the project. */
export function sourceFiles(): SourceFile[] {
  return listFiles('*.ts', '*.tsx').flatMap(readSource);
}

function readSource(path: string): SourceFile[] {
  const text = textOf(path);
  if (text === null) return [];
  const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return [{ path, imports: imports.map((target) => resolve(path, target)) }];
}

/** The text of a file; `null` for one that git lists and that was just removed. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return null;
  }
}

function resolve(from: string, target: string): string {
  if (target.startsWith('.')) return posix.join(dirname(from), target);
  const [scope = '', name = '', ...rest] = target.split('/');
  const folder = PACKAGE_FOLDERS.get(`${scope}/${name}`);
  return folder === undefined ? target : `${folder}/src/${rest.join('/')}.ts`;
}
