import { expect, test } from 'vitest';
import { shownScreens } from '../apps/e2e/portal/screens.ts';
import { screens } from '../apps/web/src/program/screens.ts';

test('every screen of the router is opened by the journey through all screens', () => {
  const paths = shownScreens().map(({ path }) => path);
  expect(new Set(paths).size, 'none of them twice').toBe(paths.length);
  const missing = screens.filter(({ path }) => !paths.some((shown) => isOf(shown, path)));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

/** Whether a path is one of a pattern, whose parameters are at the places of `$name`. */
function isOf(path: string, pattern: string): boolean {
  const source = pattern.replaceAll(/\$\w+/g, '[^/]+').replace(/\$$/, '.+');
  return new RegExp(`^${source}$`).test(path);
}
