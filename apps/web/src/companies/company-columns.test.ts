import { expect, test } from 'vitest';
import { COMPANY_COLUMNS } from './company-columns.tsx';

/** Padding at both sides of a row. */
const BESIDE_PX = 2 * 16;

function leastPxOf(width: string): number {
  const [, leastPx] = /^minmax\((\d+)px, /.exec(width) ?? [];
  if (leastPx === undefined) throw new Error(`The test does not know the track ${width}.`);
  return Number(leastPx);
}

/** As wide as the narrowest window without scrolling sideways (WCAG 1.4.10), a phone, and where a column is added. */
const widths = [320, 390, ...COMPANY_COLUMNS.flatMap(({ minTableWidthPx }) => minTableWidthPx ?? [])];

test.each(widths)('cuts no column in half in a table of %i px', (widthPx) => {
  const shown = COMPANY_COLUMNS.filter(({ minTableWidthPx = 0 }) => widthPx >= minTableWidthPx);
  const leastPx = shown.reduce((sum, { width }) => sum + leastPxOf(width), BESIDE_PX);
  expect(leastPx).toBeLessThanOrEqual(widthPx);
});

test('says of which time pending runs are counted', () => {
  expect(COMPANY_COLUMNS.find(({ key }) => key === 'pending')?.title).toBe('Pending (30 days)');
});
