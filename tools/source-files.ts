import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** The repository's root. */
export const ROOT = join(import.meta.dirname, '..');

export interface SourceFile {
  /** From the root, with slashes. */
  path: string;
  /** What it imports: other files of the project by path, packages by name. Types count: they bind as much as values do. */
  imports: readonly string[];
}

const PACKAGE_FOLDERS: Readonly<Record<string, string>> = {
  '@keepwatch/bench': 'packages/bench',
  '@keepwatch/connectors': 'packages/connectors',
  '@keepwatch/contract': 'packages/contract',
  '@keepwatch/engine': 'packages/engine',
  '@keepwatch/outlook-files': 'packages/outlook-files',
  '@keepwatch/sandbox': 'packages/sandbox',
  '@keepwatch/server': 'apps/server',
  '@keepwatch/web': 'apps/web',
};

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

/** All TypeScript of the project that git knows or would take. */
export function sourceFiles(): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\n').filter((path) => path !== ''))].flatMap(readSource);
}

function readSource(path: string): SourceFile[] {
  const text = textOf(path);
  if (text === null) return [];
  const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return [{ path, imports: imports.map((target) => resolve(path, target)) }];
}

/** A file that git lists and that was just removed is none. */
function textOf(path: string): string | null {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return null;
  }
}

function resolve(from: string, target: string): string {
  if (target.startsWith('.')) return posix.join(dirname(from), target);
  const [scope = '', name = '', ...rest] = target.split('/');
  const folder = PACKAGE_FOLDERS[`${scope}/${name}`];
  return folder === undefined ? target : `${folder}/src/${rest.join('/')}.ts`;
}
