/** A place in the calendar: which job, which day, both from 0. */
export interface Place {
  row: number;
  column: number;
}

interface GridSize {
  rows: number;
  columns: number;
  /** Rows that Page Down moves. */
  pageRows: number;
}

/**
 * Where a key leads from the active cell, as in any grid (WAI-ARIA, "grid" pattern): arrows, Home and End within the row
 * (with Control in the whole), Page Up and Page Down. `null` for every other key. The first key enters at the first cell.
 */
export function placeAfterKey(
  from: Place | null,
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  { rows, columns, pageRows }: GridSize,
): Place | null {
  const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-pageRows, 0],
    PageDown: [pageRows, 0],
    Home: [ctrlKey ? -rows : 0, -columns],
    End: [ctrlKey ? rows : 0, columns],
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined || rows === 0) return null;
  if (from === null) return { row: 0, column: 0 };
  return { row: within(from.row + step[0], rows), column: within(from.column + step[1], columns) };
}

function within(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, value));
}
