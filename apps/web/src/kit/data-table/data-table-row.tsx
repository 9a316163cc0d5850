// biome-ignore-all lint/a11y/useSemanticElements: the virtual list places the rows, which elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row (aria-activedescendant)
import { type MouseEvent, memo } from 'react';
import type { Column } from './column.ts';
import styles from './data-table.module.css';

interface DataTableRowProps<Row> {
  id: string;
  index: number;
  topPx: number;
  /** None while its page is being loaded. */
  row: Row | undefined;
  name: string | undefined;
  columns: readonly Column<Row>[];
  isActive: boolean;
  isOpen: boolean;
  /** `null` in a table without selection. */
  isChosen: boolean | null;
  onPress: (index: number) => void;
  onCheck: (index: number, isRange: boolean) => void;
}

function Row<Row>({
  id,
  index,
  topPx,
  row,
  name,
  columns,
  isActive,
  isOpen,
  isChosen,
  onPress,
  onCheck,
}: DataTableRowProps<Row>) {
  const press = (event: MouseEvent<HTMLDivElement>) => {
    // A link or button within the row has its own meaning, and marking text is not a click.
    const isOwn = event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
    if (!isOwn && window.getSelection()?.isCollapsed !== false) onPress(index);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of all its rows
    <div
      id={id}
      className={styles.row}
      style={{ transform: `translateY(${topPx}px)` }}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen ?? undefined}
      data-active={isActive || undefined}
      data-open={isOpen || undefined}
      onClick={press}
    >
      {isChosen !== null && (
        <div className={styles.check} role="gridcell">
          {/* The label is the area that reacts: as large as the cell, for fingers. */}
          <label className={styles.checkArea}>
            <input
              type="checkbox"
              className={styles.checkbox}
              tabIndex={-1}
              aria-label={`Select ${name ?? `row ${index + 1}`}`}
              checked={isChosen}
              disabled={row === undefined}
              onClick={(event) => onCheck(index, event.shiftKey)}
              readOnly
            />
          </label>
        </div>
      )}
      {columns.map((column) => (
        <div
          key={column.key}
          className={styles.cell}
          role="gridcell"
          data-align={column.align}
          data-wrapped={column.isWrapped}
        >
          {row === undefined ? <span className={styles.skeleton} /> : column.cell(row)}
        </div>
      ))}
    </div>
  );
}

/** Drawn again only when something of it changed: scrolling draws new rows and leaves the others alone. */
export const DataTableRow = memo(Row) as typeof Row;
