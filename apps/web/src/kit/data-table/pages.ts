/** A long list of which only the pages that were on screen are loaded. */
export interface Pages<Row> {
  /** Rows in all; `null` until the first page is there. */
  count: number | null;
  /** The row at a place of the whole list; `undefined` while its page is not there yet. */
  rowAt(index: number): Row | undefined;
  /** Sets which rows are on screen, so that their pages are loaded. */
  show(firstIndex: number, lastIndex: number): void;
  /** Changes when it is another list (filter, order): a table goes back to the top then. */
  listKey: string;
  /** What is shown is of the list before; the one asked for is on its way. */
  isStale: boolean;
  error: unknown;
  retry(): void;
}

/** The `listKey` while no list is there yet. */
export const NO_LIST = '';

/** A list that is there as a whole. */
export function wholeList<Row>(rows: readonly Row[], listKey = 'whole'): Pages<Row> {
  return {
    count: rows.length,
    rowAt: (index) => rows[index],
    show: () => undefined,
    listKey,
    isStale: false,
    error: null,
    retry: () => undefined,
  };
}

/** A list that one query reads as a whole; `rows` are those of it that are to be shown. */
export function queriedList<Row>(
  { error, refetch }: { error: unknown; refetch: () => unknown },
  rows: readonly Row[] | undefined,
  listKey?: string,
): Pages<Row> {
  const list = wholeList(rows ?? [], listKey);
  return { ...list, count: rows?.length ?? null, error, retry: () => void refetch() };
}

/** The rows that are loaded, in their order. */
export function loadedRows<Row>(pages: Pages<Row>): Row[] {
  const rows: Row[] = [];
  for (let index = 0; index < (pages.count ?? 0); index += 1) {
    const row = pages.rowAt(index);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Where a loaded row is in the list. */
export function indexOf<Row>(pages: Pages<Row>, rowId: (row: Row) => string, id: string): number | null {
  for (let index = 0; index < (pages.count ?? 0); index += 1) {
    const row = pages.rowAt(index);
    if (row !== undefined && rowId(row) === id) return index;
  }
  return null;
}
