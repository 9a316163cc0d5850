import type { ReactNode } from 'react';

/** One column of a table. Declare the columns as a constant, outside the component. `F` are the orders that the call knows. */
export interface Column<Row, F extends string = string> {
  /** Unique within the table. */
  key: string;
  title: string;
  /** What the title does not say, shown when the pointer rests on it. */
  hint?: string;
  /** A track of a CSS grid: `120px`, `minmax(160px, 2fr)`. Its least width counts towards the table's. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are aligned to the end. */
  align?: 'start' | 'end';
  /** The server's name of the order by this column; none: it cannot be sorted by it. */
  sort?: F;
  /** Uses the second line of rows that have one. */
  isWrapped?: boolean;
  /** Hidden when the table is narrower. */
  minTableWidthPx?: number;
}

/** How a table looks where it is too narrow for columns side by side, as on a phone: rows of several lines. */
export interface CompactRows<Row> {
  /** From this width on there are columns again. */
  belowPx: number;
  /** Of every row: rows of one height are what makes a long list quick. */
  rowHeightPx: number;
  cell: (row: Row) => ReactNode;
  /** Keys of the columns that stay in the heading, to sort by. */
  headings: readonly string[];
}

/** `field`, or `-field` (descending). */
export type Sort<F extends string = string> = F | `-${F}`;

/** What a click on the heading makes of the order: ascending, then descending, and so on. */
export function sortAfterClick<F extends string>(sort: Sort | undefined, field: F): Sort<F> {
  return sort === field ? `-${field}` : field;
}

export function ariaSort(sort: Sort | undefined, field: string): 'ascending' | 'descending' | 'none' {
  if (sort === field) return 'ascending';
  return sort === `-${field}` ? 'descending' : 'none';
}
