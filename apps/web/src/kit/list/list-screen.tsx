import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from '../data-table/data-table.tsx';
import { FilterBar } from '../filters/filter-bar.tsx';
import { BrokenLink } from '../states/broken-link.tsx';
import { EmptyState } from '../states/empty-state.tsx';
import styles from './list-screen.module.css';

interface ListScreenProps<Row, F extends string> extends Omit<DataTableProps<Row, F>, 'openId' | 'onOpen'> {
  /** The filters, and chips for what else narrows the list. */
  filters: ReactNode;
  /** What is beside the filters once the list is there: how many there are, export, the way to add one. */
  end: ReactNode;
  /** Whether a filter narrows the list: where it is empty then, filters can be reset. */
  isNarrowed: boolean;
  /** Says that nothing matches, and what the button that resets the filters is called. */
  noMatch: { title: string; text: string; reset: string };
  onReset: () => void;
  /** A filter of the address is malformed, or names something that is not there. */
  isBroken?: boolean;
  /** In the place of the list where there is nothing at all: what to do next. */
  empty: ReactNode;
  /** The row that the address has open (empty: none), and how another is opened. */
  open?: { id: string; change: (id: string) => void };
  /** The row that is open, beside the list; below a width instead of it. */
  panel?: ReactNode;
  /** Below the list: what is done with the selected rows. */
  bar?: ReactNode;
  /** Dialogs. */
  children?: ReactNode;
}

/** A list with its filters above, and beside it the panel of the row that is open. */
export function ListScreen<Row, F extends string>(props: ListScreenProps<Row, F>) {
  const { filters, end, isNarrowed, noMatch, onReset, isBroken = false, empty, open, panel, bar, children } = props;
  const { pages, rowId } = props;
  return (
    <div className={styles.screen}>
      <FilterBar isWrapped end={pages.count !== null && end}>
        {filters}
      </FilterBar>
      <div className={styles.split}>
        {isBroken ? (
          <BrokenLink onReset={onReset} />
        ) : (
          <DataTable
            {...props}
            {...(open === undefined ? {} : { onOpen: (row: Row) => open.change(rowId(row)), openId: open.id || null })}
            empty={isNarrowed ? <NoMatch {...noMatch} onReset={onReset} /> : empty}
          />
        )}
        {panel}
      </div>
      {bar}
      {children}
    </div>
  );
}

function NoMatch({ title, text, reset, onReset }: ListScreenProps<never, never>['noMatch'] & { onReset: () => void }) {
  return (
    <EmptyState title={title} text={text}>
      <Button variant="default" onClick={onReset}>
        {reset}
      </Button>
    </EmptyState>
  );
}
