// biome-ignore-all lint/a11y/useSemanticElements: the virtual list places the rows, which elements of a table do not allow
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { ErrorState } from '../states/error-state.tsx';
import { styleVariables } from '../style-variables.ts';
import type { Column, CompactRows, Sort } from './column.ts';
import styles from './data-table.module.css';
import { DataTableHead } from './data-table-head.tsx';
import { DataTableRow } from './data-table-row.tsx';
import type { Pages } from './pages.ts';
import type { Selection } from './selection.ts';
import { useTableKeys } from './table-keys.ts';
import { useTableShortcuts } from './table-shortcuts.ts';
import { useLayout } from './use-layout.ts';

export interface DataTableProps<Row, F extends string = string> {
  /** What it lists, for screen readers: `Job executions`. */
  label: string;
  /** What could not be loaded when it fails: `the runs`. */
  what?: string;
  columns: readonly Column<Row, F>[];
  /** Rows of several lines when the columns do not fit; without it, columns are hidden until the rest fits. */
  compact?: CompactRows<Row>;
  /** Lines of a row: with two, the columns that are made for it wrap. */
  lines?: 1 | 2;
  pages: Pages<Row>;
  rowId: (row: Row) => string;
  /** What a row is called, for the name of its checkbox. */
  rowName?: (row: Row) => string;
  /** What the rows are: `runs`. */
  rowsWord?: string;
  sort?: Sort<F>;
  onSort?: (sort: Sort<F>) => void;
  /** With it every row has a checkbox. */
  selection?: Selection;
  /** Opens a row: a click, or Enter. */
  onOpen?: (row: Row) => void;
  /** The row that is open beside the table. */
  openId?: string | null;
  /** The row that the keyboard is at, whenever it is another. */
  onActive?: (row: Row | undefined) => void;
  /** Shown instead of rows when there are none. */
  empty: ReactNode;
}

const ROWS_BEYOND = 12;
/** Shown while the length of the list is not known. */
const SKELETON_ROWS = 12;

/** A table that stays quick however long the list is: only the rows on screen are on the page. */
export function DataTable<Row, F extends string>(props: DataTableProps<Row, F>) {
  const { label, lines = 1, pages, rowId, sort, onSort, selection, onOpen, openId = null, rowsWord = 'rows' } = props;
  const id = useId();
  const scrollRef = useRef<HTMLDivElement>(null);
  const count = pages.count ?? SKELETON_ROWS;
  const isBroken = pages.error !== null && pages.count === null;
  const isThere = !isBroken && pages.count !== 0;
  const layout = useLayout(scrollRef, { ...props, lines, hasCheckbox: selection !== undefined }, isThere);
  const rows = useRows(count, scrollRef, pages, layout);
  const keys = useTableKeys({
    pages,
    rowId,
    selection,
    onOpen,
    openId,
    scrollTo: (index) => rows.scrollToIndex(index),
    focus: () => scrollRef.current?.focus({ preventScroll: true }),
  });
  useTableShortcuts({ gridRef: scrollRef, press: keys.press, selection, rowsWord, canOpen: onOpen !== undefined });
  const { onActive } = props;
  const activeRow = keys.active === null ? undefined : pages.rowAt(keys.active);
  useEffect(() => onActive?.(activeRow), [onActive, activeRow]);
  if (isBroken) {
    return (
      <div className={styles.empty}>
        <ErrorState what={props.what ?? 'this list'} error={pages.error} onRetry={pages.retry} />
      </div>
    );
  }
  if (pages.count === 0) return <div className={styles.empty}>{props.empty}</div>;
  return (
    <div className={styles.frame}>
      <div
        ref={scrollRef}
        className={styles.table}
        style={styleVariables({
          '--head-tracks': layout.headTracks,
          '--row-tracks': layout.rowTracks,
          '--head-height': `${layout.headHeightPx}px`,
          '--row-height': `${layout.rowHeightPx}px`,
        })}
        data-compact={layout.isCompact || undefined}
        data-lines={lines}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-multiselectable={selection !== undefined}
        aria-busy={pages.count === null || pages.isStale}
        aria-activedescendant={keys.active === null ? undefined : `${id}-${keys.active}`}
        onKeyDown={keys.onKeyDown}
      >
        <DataTableHead
          columns={layout.headings}
          pages={pages}
          rowId={rowId}
          sort={sort}
          onSort={onSort}
          selection={selection}
          rowsWord={rowsWord}
          isCompact={layout.isCompact}
        />
        <TableRows {...props} columns={layout.columns} headPx={layout.headHeightPx} rows={rows} keys={keys} id={id} />
      </div>
    </div>
  );
}

interface TableRowsProps<Row, F extends string> extends Omit<DataTableProps<Row, F>, 'columns'> {
  columns: readonly Column<Row>[];
  rows: ReturnType<typeof useRows>;
  headPx: number;
  keys: ReturnType<typeof useTableKeys>;
  id: string;
}

function TableRows<Row, F extends string>(props: TableRowsProps<Row, F>) {
  const { rows, headPx, keys, id, columns, pages, rowId, rowName, selection, openId = null } = props;
  return (
    <div className={styles.body} style={{ height: rows.getTotalSize() }} role="rowgroup">
      {rows.getVirtualItems().map(({ index, start }) => {
        const row = pages.rowAt(index);
        const key = row === undefined ? null : rowId(row);
        return (
          <DataTableRow
            key={index}
            id={`${id}-${index}`}
            index={index}
            topPx={start - headPx}
            row={row}
            name={row === undefined ? undefined : rowName?.(row)}
            columns={columns}
            isActive={keys.active === index}
            isOpen={key !== null && key === openId}
            isChosen={selection === undefined ? null : key !== null && selection.has(key)}
            onPress={keys.onPress}
            onCheck={keys.onCheck}
          />
        );
      })}
    </div>
  );
}

function useRows<Row>(
  count: number,
  scrollRef: RefObject<HTMLDivElement | null>,
  pages: Pages<Row>,
  { headHeightPx, rowHeightPx }: { headHeightPx: number; rowHeightPx: number },
) {
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowHeightPx,
    overscan: ROWS_BEYOND,
    // The heading sticks to the top: rows that are scrolled to must not end up under it.
    scrollMargin: headHeightPx,
    scrollPaddingStart: headHeightPx,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again when the row height changes
  useEffect(() => rows.measure(), [rowHeightPx, headHeightPx]);
  const { listKey, show } = pages;
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => show(first, last), [show, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
  useEffect(() => {
    if (scrollRef.current !== null) scrollRef.current.scrollTop = 0;
  }, [listKey, scrollRef]);
  return rows;
}
