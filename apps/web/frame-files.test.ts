import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { filesOfFrame } from './frame-files.ts';
import { SESSION_KEY } from './src/kit/session.ts';

const startScript = readFileSync(join(import.meta.dirname, 'public/start.js'), 'utf8');
const askedFor = () => [...document.head.querySelectorAll('link[rel="modulepreload"]')];

afterEach(() => {
  for (const link of askedFor()) link.remove();
});

/** Runs the script as the page of a build does. */
function start(frame: string): void {
  const script = Object.assign(document.createElement('script'), { type: 'text/plain' });
  script.dataset['frame'] = frame;
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  new Function(startScript)();
}

const shell = '/project/apps/web/src/shell/shell.tsx';

test('are the file of the shell and all that it imports, without what the page loads anyway', () => {
  const bundle = {
    'assets/index.js': { isEntry: true, imports: ['assets/react.js'] },
    'assets/react.js': {},
    'assets/shell.js': { facadeModuleId: shell, imports: ['assets/index.js', 'assets/fields.js'] },
    'assets/fields.js': { imports: ['assets/react.js', 'assets/icons.js'] },
    'assets/icons.js': {},
    'assets/dashboard.js': { facadeModuleId: '/project/apps/web/src/insights/dashboard/dashboard.screen.tsx' },
    'assets/style.css': {},
  };
  expect(filesOfFrame(bundle)).toEqual(['assets/shell.js', 'assets/fields.js', 'assets/icons.js']);
});

test('are not looked for in vain', () => {
  expect(() => filesOfFrame({ 'assets/index.js': { isEntry: true } })).toThrow('cannot be named');
});

test('are asked for at once where a user is signed in', () => {
  localStorage.setItem(SESSION_KEY, '{}');
  start('/assets/shell.js /assets/fields.js');
  expect(askedFor().map((link) => link.getAttribute('href'))).toEqual(['/assets/shell.js', '/assets/fields.js']);
  expect(askedFor().every((link) => link.hasAttribute('crossorigin'))).toBe(true);
});

test('are not asked for where no user is signed in', () => {
  start('/assets/shell.js');
  expect(askedFor()).toEqual([]);
});
