import { accentShades } from '@keepwatch/contract/branding/accents';
import { LAYOUTS } from '@keepwatch/contract/branding/branding';
import { contrast } from '@keepwatch/contract/branding/colours';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPortalTheme } from './theme.ts';

function expectReadable(brand: Parameters<typeof accentShades>[0]): void {
  const accent = createPortalTheme({ accentShades: [...accentShades(brand)] }).colors?.['accent'] ?? [];
  expect(accent).toHaveLength(10);
  expect(contrast(accent[7] ?? '', '#ffffff')).toBeGreaterThanOrEqual(4.5);
  expect(contrast(accent[6] ?? '', '#ffffff')).toBeGreaterThanOrEqual(4.5);
  expect(contrast(accent[4] ?? '', '#0f1115')).toBeGreaterThanOrEqual(4.5);
}

test.each(LAYOUTS)('the accent of %s can be read in both schemes', (layout) => {
  expectReadable({ accent: null, layout });
});

test('whatever accent a brand has, its text can be read in both schemes', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(fc.property(colour, (accent) => expectReadable({ accent, layout: 'keepwatch' })));
  for (const accent of ['#ffffff', '#000000', '#ffcc00']) expectReadable({ accent, layout: 'keepwatch' });
});

test('an accent that can be read is used as it is', () => {
  expect(accentShades({ accent: '#1a5fb4', layout: 'vmo' })[7]).toBe('#1a5fb4');
});
