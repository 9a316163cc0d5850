import type { Place } from './grid-keys.ts';

/** Which job and day a cell on the page is of; `null` for anything that is no cell of a job. */
export function placeOfCell(cell: Element | null): Place | null {
  const row = cell?.closest('[data-row]') ?? null;
  if (cell === null || row === null) return null;
  // The job's name comes first.
  const column = [...row.children].indexOf(cell) - 1;
  return column < 0 ? null : { row: Number(row.getAttribute('data-row')), column };
}
