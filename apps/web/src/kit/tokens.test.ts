import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contrast } from '@keepwatch/contract/branding/colours';
import { expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

/** The plain colours of the block that begins with this selector. */
function colorsOf(selector: string): Map<string, string> {
  const begin = css.indexOf(`${selector} {`);
  const block = css.slice(begin, css.indexOf('}', begin));
  return new Map([...block.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', color = '']) => [name, color]));
}

const TEXTS = [
  '--text',
  '--text-muted',
  '--status-failed',
  '--status-warning',
  '--status-success',
  '--status-running',
  '--status-missed',
  '--status-neutral',
];
const SURFACES = ['--surface', '--surface-sunken', '--surface-raised', '--surface-hover'];

test.each([
  ['light', ':root'],
  ['dark', '[data-mantine-color-scheme="dark"]'],
])('every text can be read on every surface of the %s scheme', (_, selector) => {
  const colors = colorsOf(selector);
  for (const text of TEXTS) {
    for (const surface of SURFACES) {
      const [one, other] = [colors.get(text), colors.get(surface)];
      expect(one, text).toBeDefined();
      expect(other, surface).toBeDefined();
      expect(contrast(one ?? '', other ?? ''), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test('areas that mean a warning are seen on every surface', () => {
  const colors = colorsOf(':root');
  for (const surface of SURFACES.slice(0, 3))
    expect(contrast(colors.get('--fill-warning') ?? '', colors.get(surface) ?? ''), surface).toBeGreaterThanOrEqual(3);
});

test('hints, placeholders and errors of the component library have colours that can be read', () => {
  const begin = css.indexOf('body {');
  const block = css.slice(begin, css.indexOf('}', begin));
  const overrides = [...block.matchAll(/--mantine-color-(\w+): var\((--[\w-]+)\);/g)];
  expect(overrides.map(([, name]) => name)).toEqual(['dimmed', 'placeholder', 'error']);
  for (const [, , token] of overrides) expect(TEXTS).toContain(token);
});
