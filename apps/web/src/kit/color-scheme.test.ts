import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { COLOR_SCHEME_KEY, createColorSchemeManager, printLight } from './color-scheme.ts';

const startScript = readFileSync(join(import.meta.dirname, '../../public/start.js'), 'utf8');

/** Runs the script as the page does, where the system prefers this scheme. */
function start(systemIsDark: boolean): string | null {
  vi.stubGlobal('matchMedia', () => ({ matches: systemIsDark }));
  new Function(startScript)();
  vi.unstubAllGlobals();
  return document.documentElement.getAttribute('data-mantine-color-scheme');
}

beforeEach(() => document.documentElement.removeAttribute('data-mantine-color-scheme'));

test('keeps the choice, and has the first paint follow it', () => {
  createColorSchemeManager(localStorage).set('dark');
  expect(createColorSchemeManager(localStorage).get('light')).toBe('dark');
  expect(start(false)).toBe('dark');
});

test.each([
  [true, 'dark'],
  [false, 'light'],
])('follows the system until something is chosen (dark: %s)', (systemIsDark, scheme) => {
  expect(start(systemIsDark)).toBe(scheme);
});

test('passes over what is no scheme', () => {
  localStorage.setItem(COLOR_SCHEME_KEY, '"><script>');
  expect(createColorSchemeManager(localStorage).get('light')).toBe('light');
  expect(start(true)).toBe('dark');
});

test('starts where the browser forbids storage', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: denied });
  expect(start(true)).toBe('dark');
});

test('forgets the choice', () => {
  const manager = createColorSchemeManager(localStorage);
  manager.set('dark');
  manager.clear();
  expect(manager.get('auto')).toBe('auto');
});

test.each(['dark', 'light'])('prints light from a page that is %s, and shows it as before afterwards', (scheme) => {
  const root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', scheme);
  onTestFinished(printLight(window));
  const applied = () => root.getAttribute('data-mantine-color-scheme');
  // Some browsers say twice that they are about to print.
  for (const event of ['beforeprint', 'beforeprint']) window.dispatchEvent(new Event(event));
  expect(applied()).toBe('light');
  for (const event of ['afterprint', 'afterprint']) window.dispatchEvent(new Event(event));
  expect(applied()).toBe(scheme);
});
