import type { Hint } from '@keepwatch/contract/watch/hints';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { choiceField, textField, useUrlState } from '../kit/address/url-state.ts';
import { loadedRows } from '../kit/data-table/pages.ts';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { formatCounted } from '../kit/format/numbers.ts';
import { ListScreen } from '../kit/list/list-screen.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { HINT_COLUMNS } from './hint-columns.tsx';
import { HintPanel } from './hint-panel.tsx';
import { HINT_SORTS, useHint, useHints } from './hints.data.ts';
import styles from './hints.module.css';

const HintDialog = lazy(() => import('./hint-dialog.tsx'));

const FIELDS = { search: textField(), sort: choiceField(HINT_SORTS, 'title'), open: textField() };

/** All hints of the provider. */
export default function HintsScreen() {
  const [{ search, sort, open }, setFilters] = useUrlState(FIELDS);
  const [written, setWritten] = useState<Hint | 'new' | null>(null);
  const pages = useHints(search, sort);
  useLive('hints.changed', ['hints']);
  const listed = loadedRows(pages).find(({ _id }) => _id === open);
  const other = useHint(open, open !== '' && pages.count !== null && listed === undefined);
  const opened = listed ?? other.data ?? undefined;
  const isGone = opened === undefined && other.data === null;
  const isEmpty = pages.count === 0 && search === '';
  const add = (
    <Button variant="default" onClick={() => setWritten('new')}>
      Add hint
    </Button>
  );
  return (
    <ListScreen
      label="Hints"
      what="the hints"
      columns={HINT_COLUMNS}
      pages={pages}
      rowId={(hint) => hint._id}
      sort={sort}
      onSort={(next) => setFilters({ sort: next })}
      filters={<SearchInput label="Search hints" value={search} onChange={(text) => setFilters({ search: text })} />}
      end={
        <>
          <span className={styles.count}>{formatCounted(pages.count, 'hint', 'hints')}</span>
          {!isEmpty && add}
        </>
      }
      isNarrowed={search !== ''}
      noMatch={{ title: 'No matching hint', text: `No hint contains “${search}”.`, reset: 'Show all hints' }}
      isBroken={isGone}
      onReset={() => setFilters({ search: '', open: '' })}
      open={{ id: open, change: (id) => setFilters({ open: id }) }}
      panel={
        open !== '' &&
        !isGone && (
          <HintPanel
            key={open}
            hint={opened}
            read={other}
            onEdit={setWritten}
            onClose={() => setFilters({ open: '' })}
          />
        )
      }
      empty={
        <EmptyState
          title="No hints yet"
          text="Write down once what a message means and what to do. Every technician then sees it beside the runs with that message."
        >
          {add}
        </EmptyState>
      }
    >
      {written !== null && (
        <Suspense fallback={null}>
          <HintDialog hint={written === 'new' ? null : written} onClose={() => setWritten(null)} />
        </Suspense>
      )}
    </ListScreen>
  );
}
