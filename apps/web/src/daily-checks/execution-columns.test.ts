import { expect, test } from 'vitest';
import { EXECUTION_COLUMNS } from './execution-columns.tsx';

/** What is not the columns': the checkbox, and the padding on both sides. */
const BESIDE_PX = 36 + 2 * 16;

/** Pixels and shares of a track: `96px`, or `minmax(104px, 15fr)`. */
function trackOf(width: string): { leastPx: number; share: number } {
  const [, leastPx, share = '0'] = /^(?:minmax\()?(\d+)px(?:, (\d+)fr\))?$/.exec(width) ?? [];
  if (leastPx === undefined) throw new Error(`The test does not know the track ${width}.`);
  return { leastPx: Number(leastPx), share: Number(share) };
}

/** The columns that a table of this width shows. */
const shownAt = (tableWidthPx: number) =>
  EXECUTION_COLUMNS.filter(({ minTableWidthPx = 0 }) => tableWidthPx >= minTableWidthPx).map(({ key, width }) => ({
    key,
    ...trackOf(width),
  }));

/** Widths as the browser's grid shares them out, where every share is larger than its least width. */
function widthsAt(tableWidthPx: number): Map<string, number> {
  const columns = shownAt(tableWidthPx);
  const fixedPx = columns.filter(({ share }) => share === 0).reduce((sum, { leastPx }) => sum + leastPx, 0);
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const sharePx = (tableWidthPx - BESIDE_PX - fixedPx) / shares;
  return new Map(columns.map(({ key, leastPx, share }) => [key, share === 0 ? leastPx : share * sharePx]));
}

test.each([1_200, 1_220, 1_280, 1_440, 1_600])(
  'leaves company, job and message room to be read in a table of %i px',
  (widthPx) => {
    const widths = widthsAt(widthPx);
    expect(widths.get('company')).toBeGreaterThanOrEqual(150);
    expect(widths.get('job')).toBeGreaterThanOrEqual(170);
    expect(widths.get('message')).toBeGreaterThanOrEqual(200);
  },
);

test('shows duration and transferred bytes on a screen of 1,440 px beside the pinned sidebar', () => {
  expect(shownAt(1_224).map(({ key }) => key)).toEqual(expect.arrayContaining(['duration', 'transferred', 'marks']));
});

const breakpoints = [390, ...EXECUTION_COLUMNS.flatMap(({ minTableWidthPx }) => minTableWidthPx ?? [])];

test.each(breakpoints)('never scrolls sideways in a table of %i px', (widthPx) => {
  const leastPx = shownAt(widthPx).reduce((sum, column) => sum + column.leastPx, BESIDE_PX);
  expect(leastPx).toBeLessThanOrEqual(widthPx);
});
