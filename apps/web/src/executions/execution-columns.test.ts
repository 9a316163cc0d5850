import { expect, test } from 'vitest';
import { COMPACT_EXECUTIONS } from './compact-execution.tsx';
import { EXECUTION_COLUMNS, executionColumns } from './execution-columns.tsx';
import { DEFAULT_FILTERS } from './filters.ts';

/** What is not the columns': the checkbox, and the padding on both sides. */
const BESIDE_PX = 36 + 2 * 16;

/** Pixels and shares of a track: `96px`, or `minmax(104px, 15fr)`. */
function trackOf(width: string): { leastPx: number; share: number } {
  const [, leastPx, share = '0'] = /^(?:minmax\()?(\d+)px(?:, (\d+)fr\))?$/.exec(width) ?? [];
  if (leastPx === undefined) throw new Error(`The test does not know the track ${width}.`);
  return { leastPx: Number(leastPx), share: Number(share) };
}

/** The columns that a table of this width shows. */
const shownAt = (tableWidthPx: number, all = EXECUTION_COLUMNS) =>
  all
    .filter(({ minTableWidthPx = 0 }) => tableWidthPx >= minTableWidthPx)
    .map(({ key, width }) => ({
      key,
      ...trackOf(width),
    }));

/** Widths as the browser's grid shares them out, where every share is larger than its least width. */
function widthsAt(tableWidthPx: number, all = EXECUTION_COLUMNS): Map<string, number> {
  const columns = shownAt(tableWidthPx, all);
  const fixedPx = columns.filter(({ share }) => share === 0).reduce((sum, { leastPx }) => sum + leastPx, 0);
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const sharePx = (tableWidthPx - BESIDE_PX - fixedPx) / shares;
  return new Map(columns.map(({ key, leastPx, share }) => [key, share === 0 ? leastPx : share * sharePx]));
}

test.each([1_200, 1_220, 1_280, 1_440, 1_600])(
  'leaves enough width to read company, job and message in a table of %i px',
  (widthPx) => {
    const widths = widthsAt(widthPx);
    expect(widths.get('company')).toBeGreaterThanOrEqual(140);
    expect(widths.get('job')).toBeGreaterThanOrEqual(165);
    expect(widths.get('message')).toBeGreaterThanOrEqual(240);
  },
);

test('gives the width of the state to the message while one state is chosen', () => {
  const widths = widthsAt(1_224, executionColumns(DEFAULT_FILTERS, 'UTC'));
  expect(widths.has('state')).toBe(false);
  expect(widths.get('message')).toBeGreaterThan(360);
  expect(widths.get('company')).toBeGreaterThanOrEqual(140);
  expect(widths.get('job')).toBeGreaterThanOrEqual(165);
});

/** Room that a column leaves at its end (data-table.module.css). */
const PADDING_PX = { start: 12, end: 24 };
/** The longest text of each column in pixels, measured in DejaVu Sans at 13 px: as wide as a usual font gets. */
const LONGEST_PX = {
  "result: symbol, Didn't run": ['result', 20 + 64.8],
  'state: symbol, In progress': ['state', 20 + 72.4],
  'started: 12/28 12:58 AM': ['started', 103.7],
  'duration: 23h 59m 59s': ['duration', 85.6],
  'transferred: its title and arrow at 12 px': ['transferred', 67.8 + 2 + 13 + 4],
} as const;

test.each(Object.entries(LONGEST_PX))('cuts nothing off %s', (_, [key, textPx]) => {
  const column = EXECUTION_COLUMNS.find((known) => known.key === key);
  const { leastPx } = trackOf(column?.width ?? '');
  expect(leastPx - PADDING_PX[column?.align ?? 'start']).toBeGreaterThanOrEqual(textPx);
});

test('shows duration and transferred bytes on a screen of 1,440 px beside the pinned sidebar', () => {
  expect(shownAt(1_224).map(({ key }) => key)).toEqual(expect.arrayContaining(['duration', 'transferred']));
});

const breakpoints = [
  COMPACT_EXECUTIONS.belowPx,
  ...EXECUTION_COLUMNS.flatMap(({ minTableWidthPx }) => minTableWidthPx ?? []),
];

test.each(breakpoints)('never scrolls sideways in a table of %i px', (widthPx) => {
  const leastPx = shownAt(widthPx).reduce((sum, column) => sum + column.leastPx, BESIDE_PX);
  expect(leastPx).toBeLessThanOrEqual(widthPx);
});

test('says in the place of the state who gave it, while one state that people give is chosen', () => {
  const titles = (state: 'pending' | 'in-progress' | 'resolved') =>
    executionColumns({ ...DEFAULT_FILTERS, state }, 'UTC').map(({ title }) => title);
  expect(titles('pending')).not.toContain('State');
  expect(titles('in-progress')).toContain('By');
  expect(titles('resolved')).toContain('By');
});

test('says of which time zone the times are', () => {
  const titles = executionColumns(DEFAULT_FILTERS, 'America/Los_Angeles').map(({ title }) => title);
  expect(titles).toContain('Started (Los Angeles)');
});
