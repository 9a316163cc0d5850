// biome-ignore-all lint/a11y/useSemanticElements: the virtual list places the rows, which elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row (aria-activedescendant)
import { Checkbox } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import { memo, useMemo } from 'react';
import { ariaSort, type Column, type Sort, sortAfterClick } from './column.ts';
import styles from './data-table.module.css';
import { loadedRows, type Pages } from './pages.ts';
import type { Selection } from './selection.ts';

interface DataTableHeadProps<Row, F extends string> {
  columns: readonly Column<Row, F>[];
  pages: Pages<Row>;
  rowId: (row: Row) => string;
  sort: Sort<F> | undefined;
  onSort: ((sort: Sort<F>) => void) | undefined;
  selection: Selection | undefined;
  /** What the rows are: `runs`. */
  rowsWord: string;
  /** The rows have no columns: the headings only sort, and their labels say that. */
  isCompact: boolean;
}

/** The headings: they stay at the top, sort, and choose all. */
function Head<Row, F extends string>(props: DataTableHeadProps<Row, F>) {
  const { columns, pages, rowId, sort, onSort, selection, rowsWord, isCompact } = props;
  // A row has at least one cell.
  if (columns.length === 0 && selection === undefined) return null;
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      {selection !== undefined && <ChooseAll pages={pages} rowId={rowId} selection={selection} rowsWord={rowsWord} />}
      {isCompact && columns.length > 0 && (
        <span className={styles.sortBy} aria-hidden>
          Sort by
        </span>
      )}
      {columns.map((column) => (
        <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
      ))}
    </div>
  );
}

/** Drawn again only when something of it changed, not while the rows are scrolled. */
export const DataTableHead = memo(Head) as typeof Head;

interface HeadingProps<Row, F extends string> extends Pick<DataTableHeadProps<Row, F>, 'sort' | 'onSort'> {
  column: Column<Row, F>;
}

function Heading<Row, F extends string>({ column, sort, onSort }: HeadingProps<Row, F>) {
  const field = column.sort;
  if (field === undefined || onSort === undefined) {
    return (
      <div className={styles.heading} role="columnheader" data-align={column.align} title={column.hint}>
        {column.title}
      </div>
    );
  }
  const order = ariaSort(sort, field);
  const Arrow = order === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <div className={styles.heading} role="columnheader" aria-sort={order} data-align={column.align} title={column.hint}>
      <button type="button" className={styles.sort} onClick={() => onSort(sortAfterClick(sort, field))}>
        {column.title}
        <Arrow size={13} aria-hidden className={styles.arrow} data-hidden={order === 'none' || undefined} />
      </button>
    </div>
  );
}

/** Chooses what is loaded, which is what the person has seen. */
function ChooseAll<Row>({
  pages,
  rowId,
  selection,
  rowsWord,
}: Pick<DataTableHeadProps<Row, string>, 'pages' | 'rowId' | 'rowsWord'> & { selection: Selection }) {
  const ids = useMemo(() => loadedRows(pages).map(rowId), [pages, rowId]);
  const chosen = ids.filter(selection.has).length;
  const isAll = ids.length > 0 && chosen === ids.length;
  return (
    <div className={styles.check} role="columnheader">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the library's; its label is the area that reacts */}
      <label className={styles.checkArea}>
        <Checkbox
          aria-label={`Select all loaded ${rowsWord}`}
          checked={isAll}
          indeterminate={chosen > 0 && !isAll}
          onChange={() => selection.set(ids, !isAll)}
        />
      </label>
    </div>
  );
}
