import { indexOf, NO_LIST, type Pages } from './pages.ts';

/**
 * Where the keyboard is after the list has changed. It stays with its row while that is in the list. Where the row has left, it
 * goes to the first row after the last one that left with it, so that no row is passed over that was not seen. Another list has
 * no active row; a key that was pressed before the first list was there is of that list.
 */
export function activeAfter<Row>(
  before: Pages<Row>,
  active: number | null,
  now: Pages<Row>,
  rowId: (row: Row) => string,
): number | null {
  if (active === null) return null;
  if (before.listKey !== now.listKey) return before.listKey === NO_LIST ? active : null;
  const row = before.rowAt(active);
  if (row === undefined || isAt(now, active, rowId, rowId(row))) return active;
  return indexOf(now, rowId, rowId(row)) ?? placeOfNext(before, active, now, rowId);
}

function isAt<Row>(pages: Pages<Row>, index: number, rowId: (row: Row) => string, id: string): boolean {
  const row = pages.rowAt(index);
  return row !== undefined && rowId(row) === id;
}

function placeOfNext<Row>(before: Pages<Row>, active: number, now: Pages<Row>, rowId: (row: Row) => string): number {
  const left = leftRows(before, now, rowId);
  const last = Math.max(active, left.at(-1) ?? active);
  const next = before.rowAt(last + 1);
  const place = next === undefined ? null : indexOf(now, rowId, rowId(next));
  return place ?? last + 1 - left.length;
}

/** Places of the loaded rows that are no longer in the list. */
function leftRows<Row>(before: Pages<Row>, now: Pages<Row>, rowId: (row: Row) => string): number[] {
  const staying = new Set<string>();
  for (let index = 0; index < (now.count ?? 0); index += 1) {
    const row = now.rowAt(index);
    if (row !== undefined) staying.add(rowId(row));
  }
  const left: number[] = [];
  for (let index = 0; index < (before.count ?? 0); index += 1) {
    const row = before.rowAt(index);
    if (row !== undefined && !staying.has(rowId(row))) left.push(index);
  }
  return left;
}
