import type { QueryClient, QueryKey } from '@tanstack/react-query';

interface ListPage<Row> {
  count: number;
  data: readonly Row[];
}

/** What becomes of a row; `null`: it leaves the list. */
export type RowChange<Row> = (row: Row) => Row | null;

/**
 * Changes the loaded rows of the list at once, before it is read again: what a person has just done shows without a
 * wait. Rows that leave close up; a place whose row is not loaded stays empty until it is.
 */
export function changeRows<Row>(
  queries: QueryClient,
  queryKey: QueryKey,
  pageRows: number,
  change: RowChange<Row>,
): void {
  const pages = new Map<number, ListPage<Row>>();
  for (const [key, page] of queries.getQueriesData<ListPage<Row>>({ queryKey })) {
    const last = key.at(-1);
    if (page === undefined || typeof last !== 'object' || last === null || !('page' in last)) continue;
    pages.set(Number(last.page), page);
  }
  for (const [number, page] of changedPages(pages, pageRows, change)) {
    const key = [...queryKey, { page: number }];
    // Later than what was there, also within one millisecond: a list knows by that time that its rows have changed.
    const updatedAt = Math.max(Date.now(), (queries.getQueryState(key)?.dataUpdatedAt ?? 0) + 1);
    queries.setQueryData(key, page, { updatedAt });
  }
}

/** The same pages after the change, by number. */
export function changedPages<Row>(
  pages: ReadonlyMap<number, ListPage<Row>>,
  pageRows: number,
  change: RowChange<Row>,
): Map<number, ListPage<Row>> {
  const places = new Map<number, Row>();
  let left = 0;
  for (const [number, page] of [...pages].sort(([one], [other]) => one - other)) {
    page.data.forEach((row, place) => {
      const changed = change(row);
      if (changed === null) left += 1;
      else places.set(number * pageRows + place - left, changed);
    });
  }
  return new Map(
    [...pages].map(([number, page]) => [
      number,
      { count: page.count - left, data: rowsFrom(places, number * pageRows, pageRows) },
    ]),
  );
}

function rowsFrom<Row>(places: ReadonlyMap<number, Row>, first: number, length: number): Row[] {
  const rows: Row[] = [];
  for (let place = first; place < first + length; place += 1) {
    const row = places.get(place);
    if (row === undefined) break;
    rows.push(row);
  }
  return rows;
}
