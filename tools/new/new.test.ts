import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFiles, ROOT, textOf } from '../source-files.ts';
import { generate } from './generate.ts';
import { nounOf } from './names.ts';

/** A copy of the project, in which things are generated. */
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'new-'));
  const isNeeded = (path: string) =>
    /^(apps\/(server|web)|packages\/(contract|connectors))\//.test(path) && textOf(path) !== null;
  for (const path of listFiles('*.ts', '*.tsx', '*.css', '*.json', '*.sql').filter(isNeeded))
    cpSync(join(ROOT, path), join(copy, path));
});
afterAll(() => rmSync(copy, { recursive: true }));

/** Imports of generated files that lead to nothing, and files that cannot be parsed. */
function problemsOf(paths: readonly string[]): string[] {
  const code = paths.filter((path) => /\.tsx?$/.test(path));
  return code.flatMap((path) => {
    const text = readFileSync(join(copy, path), 'utf8');
    const { errors, module } = parseSync(path, text);
    const imported = module.staticImports.flatMap(({ moduleRequest, entries }) => {
      const target = targetOf(path, moduleRequest.value);
      if (target === null) return [];
      const exported = existsSync(target) ? readFileSync(target, 'utf8') : '';
      const names = entries.flatMap(({ importName }) => (importName.kind === 'Name' ? [importName.name ?? ''] : []));
      const missing = names.filter((name) => !new RegExp(`export [^;=]*\\b${name}\\b`).test(exported));
      return exported === '' ? [`${path}: ${moduleRequest.value}`] : missing.map((name) => `${path}: ${name}`);
    });
    return [...errors.map(({ message }) => `${path}: ${message}`), ...imported];
  });
}

/** The file of an import; `null` for a package and for styles. */
function targetOf(path: string, target: string): string | null {
  if (target.endsWith('.css')) return null;
  if (target.startsWith('.')) return join(copy, dirname(path), target);
  const [scope, name, ...rest] = target.split('/');
  return scope === '@keepwatch' ? join(copy, `packages/${name}/src/${rest.join('/')}.ts`) : null;
}

describe('what is generated', () => {
  it('can be parsed, imports what is there, and has every line in its place', () => {
    const commands = [
      ['list', 'sample-row', '--capability', 'samples'],
      ['list', 'sample-tax', '--capability', 'samples'],
      ['call', 'close-sample-row', '--noun', 'sample-row', '--capability', 'samples'],
      ['job', 'remove-old-taxes', '--capability', 'samples'],
      ['job', 'add-up-costs', '--capability', 'samples'],
      ['alarm', 'sample-row-overdrawn', '--noun', 'sample-row', '--capability', 'samples'],
    ];
    const generated = commands.map((args) => generate(copy, args));
    expect(
      generated.flatMap((one) => one?.next ?? ['nothing']).filter((line) => /^(Add to|nothing)/.test(line)),
    ).toEqual([]);
    expect(problemsOf(generated.flatMap((one) => one?.paths ?? []))).toEqual([]);
  });

  it('names a change of a noun as the calls that it has', () => {
    generate(copy, ['call', 'sample-hint', '--noun', 'hint', '--capability', 'watch']);
    const contract = readFileSync(join(copy, 'packages/contract/src/watch/hints.ts'), 'utf8');
    expect(contract).toContain("path: '/backoffice/hints/{hintId}/sample'");
  });

  it('overwrites nothing', () => {
    const again = ['list', 'sample-row', '--capability', 'samples'];
    expect(() => generate(copy, again)).toThrow(
      'These files exist already, and nothing was written: packages/contract',
    );
  });

  it('is nothing where it is not said what', () => {
    expect(generate(copy, ['list', 'sample-row'])).toBeNull();
    expect(generate(copy, ['call', 'close-account', '--capability', 'samples'])).toBeNull();
    expect(() => generate(copy, ['list', '../Cost', '--capability', 'samples'])).toThrow(
      '"../Cost" is not written like cost-center.',
    );
  });
});

it.each([
  ['company', 'companies'],
  ['key', 'keys'],
  ['tax', 'taxes'],
  ['cost-center', 'cost-centers'],
])('the plural of %s is %s', (singular, plural) => {
  expect(nounOf(singular).kebabs).toBe(plural);
});
