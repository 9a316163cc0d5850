import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './folder.fixture.js';
import { PROJECT } from './project.js';
import { buildWeb } from './web-build.js';

/** A project with a page of one line, built by the real tool. */
function project(title) {
  const folder = folderWith({
    'package-lock.json': '{}',
    'apps/web/index.html': `<!doctype html><title>${title}</title>`,
    'apps/web/src/page.test.ts': '',
  });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, page: join(folder, 'apps/web/dist/index.html') };
}

test('builds once, and again when a source has changed', async () => {
  const { folder, page } = project('one');
  await buildWeb(folder, process.execPath);
  expect(readFileSync(page, 'utf8')).toContain('<title>one</title>');
  writeFileSync(page, 'would be overwritten');
  writeFileSync(join(folder, 'apps/web/src/page.test.ts'), 'a test is no source');
  await buildWeb(folder, process.execPath);
  expect(readFileSync(page, 'utf8')).toBe('would be overwritten');
  writeFileSync(join(folder, 'apps/web/index.html'), '<!doctype html><title>two</title>');
  await buildWeb(folder, process.execPath);
  expect(readFileSync(page, 'utf8')).toContain('<title>two</title>');
}, 30_000);

test('keeps the last good build when one fails, and says why', async () => {
  const { folder, page } = project('one');
  await buildWeb(folder, process.execPath);
  writeFileSync(join(folder, 'apps/web/index.html'), '<script type="module" src="/src/lacking.ts"></script>');
  await expect(buildWeb(folder, process.execPath)).rejects.toThrow(
    /Building the browser application failed[\s\S]*lacking/,
  );
  expect(readFileSync(page, 'utf8')).toContain('<title>one</title>');
}, 30_000);

test('builds again what was removed', async () => {
  const { folder, page } = project('one');
  await buildWeb(folder, process.execPath);
  rmSync(join(page, '..'), { recursive: true });
  await buildWeb(folder, process.execPath);
  expect(existsSync(page)).toBe(true);
}, 30_000);

test('does nothing in a project without a page', async () => {
  const folder = folderWith({ 'package-lock.json': '{}' });
  await buildWeb(folder, process.execPath);
  expect(existsSync(join(folder, 'apps'))).toBe(false);
});
