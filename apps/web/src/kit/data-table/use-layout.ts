import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import type { Column, CompactRows } from './column.ts';

export const ROW_HEIGHT_PX = 36;
const CHECKBOX_TRACK = '36px';

interface Layout<Row> {
  headings: readonly Column<Row>[];
  columns: readonly Column<Row>[];
  rowHeightPx: number;
  isCompact: boolean;
  /** Tracks of the heading and of the rows, as CSS grids have them. */
  headTracks: string;
  rowTracks: string;
}

/** What of the columns a table shows in its width: those that fit, or rows of several lines where hardly any would. */
export function useLayout<Row>(
  ref: RefObject<HTMLElement | null>,
  columns: readonly Column<Row>[],
  compact: CompactRows<Row> | undefined,
  hasCheckbox: boolean,
  isThere: boolean,
): Layout<Row> {
  const widthPx = useWidth(ref, isThere);
  return useMemo(() => layoutOf(columns, compact, hasCheckbox, widthPx), [columns, compact, hasCheckbox, widthPx]);
}

export function layoutOf<Row>(
  all: readonly Column<Row>[],
  compact: CompactRows<Row> | undefined,
  hasCheckbox: boolean,
  widthPx: number,
): Layout<Row> {
  const tracks = (parts: readonly string[]) => [...(hasCheckbox ? [CHECKBOX_TRACK] : []), ...parts].join(' ');
  const isKnown = widthPx > 0;
  if (compact !== undefined && isKnown && widthPx < compact.belowPx) {
    const headings = compact.headings.flatMap((key) => all.find((column) => column.key === key) ?? []);
    const column = { key: 'compact', title: '', width: 'minmax(0, 1fr)', cell: compact.cell };
    return {
      headings: headings.map((heading) => ({ ...heading, align: 'start' as const })),
      columns: [column],
      rowHeightPx: compact.rowHeightPx,
      isCompact: true,
      headTracks: tracks(headings.map(() => 'auto')),
      rowTracks: tracks([column.width]),
    };
  }
  const columns = all.filter(({ minTableWidthPx = 0 }) => !isKnown || widthPx >= minTableWidthPx);
  const shared = tracks(columns.map(({ width }) => width));
  return {
    headings: columns,
    columns,
    rowHeightPx: ROW_HEIGHT_PX,
    isCompact: false,
    headTracks: shared,
    rowTracks: shared,
  };
}

/**
 * The width of an element, in pixels; 0 until it is there. It tells of every change (the sidebar is pinned, a panel opens
 * beside it), and reads nothing while the element is scrolled.
 */
function useWidth(ref: RefObject<HTMLElement | null>, isThere: boolean): number {
  const [widthPx, setWidthPx] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!isThere || element === null) return;
    const read = () => setWidthPx(element.offsetWidth);
    read();
    const sizes = new ResizeObserver(read);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [ref, isThere]);
  return widthPx;
}
