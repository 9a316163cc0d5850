import { expect, test } from 'vitest';
import { layoutOf } from './use-layout.ts';

const COLUMNS = [
  { key: 'job', title: 'Job', width: '200px', cell: (row: number) => row },
  {
    key: 'size',
    title: 'Size',
    width: '100px',
    align: 'end' as const,
    minTableWidthPx: 600,
    cell: (row: number) => row,
  },
];
const COMPACT = { belowPx: 540, rowHeightPx: 56, headings: ['size'], cell: (row: number) => row };
const COMPACT_TABLE = { columns: COLUMNS, compact: COMPACT, lines: 1, hasCheckbox: true } as const;
const keys = (columns: readonly { key: string }[]) => columns.map(({ key }) => key);

test('hides columns that do not fit, and their tracks', () => {
  expect(layoutOf({ columns: COLUMNS, lines: 1, hasCheckbox: true }, 600)).toMatchObject({
    rowTracks: '36px 200px 100px',
    rowHeightPx: 36,
  });
  expect(layoutOf({ columns: COLUMNS, lines: 1, hasCheckbox: true }, 599).rowTracks).toBe('36px 200px');
});

test('shows rows of several lines where it is narrow, with headings to sort by', () => {
  const layout = layoutOf(COMPACT_TABLE, 539);
  expect(layout).toMatchObject({ rowHeightPx: 56, isCompact: true, rowTracks: '36px minmax(0, 1fr)' });
  expect(keys(layout.headings)).toEqual(['size']);
  expect(layoutOf(COMPACT_TABLE, 540).isCompact).toBe(false);
});

test('has no heading where there is nothing to sort by and nothing to choose', () => {
  const table = { ...COMPACT_TABLE, compact: { ...COMPACT, headings: [] } };
  expect(layoutOf(table, 539).headHeightPx).toBe(36);
  expect(layoutOf({ ...table, hasCheckbox: false }, 539).headHeightPx).toBe(0);
});

test('assumes a large width until it is known', () => {
  expect(keys(layoutOf({ ...COMPACT_TABLE, hasCheckbox: false }, 0).columns)).toEqual(['job', 'size']);
});

test('has taller rows where they have two lines', () => {
  expect(layoutOf({ columns: COLUMNS, lines: 2, hasCheckbox: true }, 600).rowHeightPx).toBe(52);
});

test('has rows, headings and checkboxes of 44 px where fingers use it', () => {
  const table = { columns: COLUMNS, lines: 1, hasCheckbox: true, isCoarse: true } as const;
  expect(layoutOf(table, 600)).toMatchObject({ headHeightPx: 44, rowHeightPx: 44, rowTracks: '44px 200px 100px' });
});
