import { expect, test } from 'vitest';
import { contrast } from '../testing/contrast.ts';
import { createPortalTheme } from './theme.ts';

test.each(['keepwatch', 'vmo', 'hunter-tech', 'different-dev', 'managecast'] as const)(
  'the accent of %s can be read in both schemes',
  (layout) => {
    const accent = createPortalTheme(layout).colors?.['accent'] ?? [];
    expect(contrast(accent[7] ?? '', '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(accent[6] ?? '', '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(accent[4] ?? '', '#0f1115')).toBeGreaterThanOrEqual(4.5);
  },
);
