import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { filesOf, measure } from './measure-bundle.ts';

const manifest = {
  'index.html': { file: 'assets/index.js', imports: ['_react.js'], dynamicImports: ['src/other.tsx'] },
  '_react.js': { file: 'assets/react.js', imports: ['index.html'] },
  'src/identity/sign-in.screen.tsx': { file: 'assets/sign-in.js', imports: ['_react.js', '_style.css'] },
  '_style.css': { file: 'assets/style.css' },
  'src/other.tsx': { file: 'assets/other.js' },
};

test('counts what is always loaded, each file once, and nothing that comes later', () => {
  const files = filesOf(manifest, ['index.html', 'src/identity/sign-in.screen.tsx']);
  expect(files).toEqual(['assets/index.js', 'assets/react.js', 'assets/sign-in.js']);
});

function build(signInBytes: number): string {
  const dist = mkdtempSync(join(tmpdir(), 'keepwatch-dist-'));
  for (const folder of ['.vite', 'assets']) mkdirSync(join(dist, folder));
  writeFileSync(join(dist, '.vite/manifest.json'), JSON.stringify(manifest));
  for (const file of ['start.js', 'assets/index.js', 'assets/react.js']) writeFileSync(join(dist, file), '');
  // Random bytes cannot be packed any smaller.
  writeFileSync(join(dist, 'assets/sign-in.js'), randomBytes(signInBytes));
  return dist;
}

test('says whether a page is within its limit, gzipped', () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(measure(build(1_000))).toBe(true);
  expect(print.mock.calls.flat()).toContain('dashboard: not built');
});

test('fails above the limit', () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(measure(build(151_000))).toBe(false);
  expect(print.mock.calls.flat().some((line) => String(line).includes('TOO LARGE'))).toBe(true);
});
