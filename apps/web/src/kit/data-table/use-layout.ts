import { useMediaQuery } from '@mantine/hooks';
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import type { Column, CompactRows } from './column.ts';

const HEAD_HEIGHT_PX = 36;
const ROW_HEIGHT_PX = 36;
/** Of rows of two lines. */
const TALL_ROW_HEIGHT_PX = 52;
const CHECKBOX_PX = 36;
/** Least height and width of what a finger has to hit. */
const TOUCH_PX = 44;

/** What the layout is made from. */
interface LayoutOptions<Row, F extends string> {
  columns: readonly Column<Row, F>[];
  compact?: CompactRows<Row>;
  lines: 1 | 2;
  hasCheckbox: boolean;
  /** A finger is what it is used with. */
  isCoarse?: boolean;
}

interface Layout<Row, F extends string> {
  headings: readonly Column<Row, F>[];
  columns: readonly Column<Row>[];
  headHeightPx: number;
  rowHeightPx: number;
  isCompact: boolean;
  /** Tracks of the heading and of the rows, as CSS grids have them. */
  headTracks: string;
  rowTracks: string;
}

/** What of the columns a table shows in its width: those that fit, or rows of several lines where hardly any would. */
export function useLayout<Row, F extends string>(
  ref: RefObject<HTMLElement | null>,
  { columns, compact, lines, hasCheckbox }: LayoutOptions<Row, F>,
  isThere: boolean,
): Layout<Row, F> {
  const widthPx = useWidth(ref, isThere);
  const isCoarse = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  return useMemo(
    () => layoutOf({ columns, ...(compact === undefined ? {} : { compact }), lines, hasCheckbox, isCoarse }, widthPx),
    [columns, compact, lines, hasCheckbox, isCoarse, widthPx],
  );
}

export function layoutOf<Row, F extends string>(
  { columns: all, compact, lines, hasCheckbox, isCoarse = false }: LayoutOptions<Row, F>,
  widthPx: number,
): Layout<Row, F> {
  const tracks = (parts: readonly string[]) =>
    [...(hasCheckbox ? [`${isCoarse ? TOUCH_PX : CHECKBOX_PX}px`] : []), ...parts].join(' ');
  const isKnown = widthPx > 0;
  const headHeightPx = isCoarse ? TOUCH_PX : HEAD_HEIGHT_PX;
  if (compact !== undefined && isKnown && widthPx < compact.belowPx) {
    const headings = compact.headings.flatMap((key) => all.find((column) => column.key === key) ?? []);
    const column = { key: 'compact', title: '', width: 'minmax(0, 1fr)', cell: compact.cell };
    return {
      headings: headings.map((heading) => ({ ...heading, align: 'start' as const })),
      columns: [column],
      // Without anything to sort by or to choose there is no heading.
      headHeightPx: headings.length === 0 && !hasCheckbox ? 0 : headHeightPx,
      rowHeightPx: compact.rowHeightPx,
      isCompact: true,
      headTracks: tracks(['auto', ...headings.map(() => 'auto')]),
      rowTracks: tracks([column.width]),
    };
  }
  const columns = all.filter(({ minTableWidthPx = 0 }) => !isKnown || widthPx >= minTableWidthPx);
  const shared = tracks(columns.map(({ width }) => width));
  return {
    headings: columns,
    columns,
    headHeightPx,
    rowHeightPx: lines === 2 ? TALL_ROW_HEIGHT_PX : isCoarse ? TOUCH_PX : ROW_HEIGHT_PX,
    isCompact: false,
    headTracks: shared,
    rowTracks: shared,
  };
}

/**
 * Measures the width of an element in pixels; 0 until it is there. Follows every change (the sidebar is pinned, a panel
 * opens beside it), and reads nothing while the element is scrolled.
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
