import type { RowChange } from './change-rows.ts';
import type { Pages } from './pages.ts';

/**
 * The list with a change that the server has not answered yet: rows that the change makes leave are passed over, the others are
 * shown as they will be. What was loaded stays as it is, so that without the change every row is in its place again.
 */
export function overlayRows<Row>(pages: Pages<Row>, change: RowChange<Row>): Pages<Row> {
  const leaving = leavingPlaces(pages, change);
  const placeOf = (index: number) => placeBelow(leaving, index);
  return {
    ...pages,
    count: pages.count === null ? null : pages.count - leaving.length,
    rowAt: (index) => {
      const row = pages.rowAt(placeOf(index));
      return row === undefined ? undefined : (change(row) ?? undefined);
    },
    show: (first, last) => pages.show(placeOf(first), placeOf(last)),
  };
}

function leavingPlaces<Row>(pages: Pages<Row>, change: RowChange<Row>): number[] {
  const places: number[] = [];
  for (let index = 0; index < (pages.count ?? 0); index += 1) {
    const row = pages.rowAt(index);
    if (row !== undefined && change(row) === null) places.push(index);
  }
  return places;
}

/** The place in the list below at which the row at `index` is, with the leaving ones (in ascending order) passed over. */
function placeBelow(leaving: readonly number[], index: number): number {
  let place = index;
  for (const left of leaving) {
    if (left > place) break;
    place += 1;
  }
  return place;
}
