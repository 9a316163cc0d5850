import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useIsCompanyMissing } from '../entities/company-filter.data.ts';
import { useSharedCompany } from '../entities/company-scope.ts';
import { queue } from '../entities/places.ts';
import { queueFilters } from '../entities/queue.ts';
import { choiceField, useUrlState } from '../kit/address/url-state.ts';
import { DataTable } from '../kit/data-table/data-table.tsx';
import { NewsPill } from '../kit/data-table/news-pill.tsx';
import { loadedRows } from '../kit/data-table/pages.ts';
import { useSelection } from '../kit/data-table/selection.ts';
import { useAllows } from '../kit/portal.tsx';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import { BrokenLink } from '../kit/states/broken-link.tsx';
import { SkeletonRows } from '../kit/states/skeleton-rows.tsx';
import { useFilters } from '../kit/use-filters.ts';
import { BesideQueue } from './beside-queue.tsx';
import { compactRows } from './compact-row.tsx';
import { useQueueEdits, useRowsAfter } from './edits/use-queue-edits.ts';
import { nameOfRow } from './fault-texts.ts';
import { queueQueryOf, SORTS, useFaultViewers, useQueue } from './faults.data.ts';
import { NoFaults } from './no-faults.tsx';
import styles from './queue.module.css';
import { QueueBar } from './queue-bar.tsx';
import { queueColumns } from './queue-columns.tsx';
import { QueueFilters } from './queue-filters.tsx';
import { useQueueNews } from './queue-news.data.ts';
import { faultsOf, type QueueRow } from './queue-row.ts';
import { QueueSummary } from './queue-summary.tsx';
import { useMorningAddress } from './use-morning-address.ts';

const MorningMode = lazy(() => import('./morning/morning-mode.tsx'));

const VIEW_FIELDS = { sort: choiceField(SORTS, 'none') };
const SHARED = ['company'] as const;

/** The faults that need a person, in the order in which they are worked on, or one after the other over the whole screen. */
export default function QueueScreen() {
  const { filters, hasUnknown, ...change } = useFilters(queueFilters, queue, 'queue.filters', SHARED);
  const setFilters = useSharedCompany(change.setFilters);
  const [{ sort }, setView] = useUrlState(VIEW_FIELDS);
  const morning = useMorningAddress();
  const query = useMemo(() => queueQueryOf(filters, sort), [filters, sort]);
  const isCompanyMissing = useIsCompanyMissing(filters.company);
  const reset = () => setFilters(queueFilters.defaults);
  if (hasUnknown || isCompanyMissing) return <BrokenLink onReset={reset} />;
  if (morning.isOn)
    return (
      <Suspense fallback={<SkeletonRows rows={8} />}>
        <MorningMode
          query={{ ...query, filter: { ...query.filter, state: ['pending', 'in-progress'] } }}
          chosenId={morning.chosenId}
          isAllChosen={morning.isAllChosen}
          onLeave={morning.leave}
        />
      </Suspense>
    );
  return (
    <Queue
      query={query}
      filters={filters}
      setFilters={setFilters}
      reset={reset}
      onSort={(next) => setView({ sort: next })}
      onMorning={morning.begin}
    />
  );
}

interface QueueProps {
  query: ReturnType<typeof queueQueryOf>;
  filters: typeof queueFilters.defaults;
  setFilters: (patch: Partial<typeof queueFilters.defaults>) => void;
  reset: () => void;
  onSort: (sort: ReturnType<typeof queueQueryOf>['sort']) => void;
  /** Works through the faults, from this line on; `null`: from the first. */
  onMorning: (row: QueueRow | null) => void;
}

const rowId = ({ id }: QueueRow) => id;

function Queue({ query, filters, setFilters, reset, onSort, onMorning }: QueueProps) {
  const edits = useQueueEdits(query);
  const pages = useRowsAfter(useQueue(query), edits.inFlight, query);
  const viewers = useFaultViewers();
  const canEdit = useAllows('monitoring.job-actions');
  const selection = useSelection(pages.listKey);
  const news = useQueueNews(query, pages, edits);
  const [active, setActive] = useState<QueueRow | undefined>(undefined);
  const listRef = useRef<HTMLDivElement>(null);
  const latest = useRef(setFilters);
  useEffect(() => {
    latest.current = setFilters;
  });
  const onUnfold = useCallback((row: QueueRow) => latest.current({ cause: row.fault.cause.key }), []);
  const columns = useMemo(() => queueColumns({ viewers, onUnfold }), [viewers, onUnfold]);
  const compact = useMemo(() => compactRows({ viewers }), [viewers]);
  const chosen = loadedRows(pages).filter(({ id }) => selection.has(id));
  const editRows = async (change: Parameters<typeof edits.editRows>[1]) => {
    const rows = chosen.length > 0 ? chosen : active === undefined ? [] : [active];
    if (rows.length === 0) return;
    listRef.current?.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
    selection.clear();
    const { error } = await edits.editRows(rows, change);
    if (error !== null && chosen.length > 0) selection.restore(rows.map(rowId));
  };
  useShortcut('r', 'Resolve', () => void editRows({ state: 'resolved' }), !canEdit);
  useShortcut('p', 'In progress, by you', () => void editRows({ state: 'in-progress' }), !canEdit);
  useShortcut('z', 'Undo the last change', edits.undoLast, !canEdit);
  useShortcut('Enter', 'Work through the faults', () => onMorning(active ?? null));
  const isGroup = active !== undefined && active.group !== null;
  useShortcut('o', 'Show each fault of the cause', () => active !== undefined && onUnfold(active), !isGroup);
  const isByCause = !query.isSingle;
  return (
    <>
      <QueueFilters filters={filters} onChange={setFilters} />
      <div ref={listRef} className={styles.list}>
        <DataTable
          label="Faults"
          what="the faults"
          columns={columns}
          compact={compact}
          lines={2}
          pages={pages}
          rowId={rowId}
          rowName={nameOfRow}
          rowsWord="faults"
          {...(query.sort === 'none' ? {} : { sort: query.sort })}
          onSort={(next) => onSort(next === '-fineAt' ? 'none' : next)}
          {...(canEdit ? { selection } : {})}
          onOpen={onMorning}
          onActive={setActive}
          empty={<NoFaults filters={filters} onReset={reset} />}
        />
        <NewsPill {...news} />
      </div>
      <BesideQueue
        filters={filters}
        filter={query.filter}
        canEdit={canEdit}
        onResolveHealed={(count) => void edits.resolveHealed(count)}
        onShowHealed={() => setFilters({ state: 'healed', single: true })}
      />
      <QueueBar
        summary={<QueueSummary lines={pages.count} isByCause={isByCause} filters={filters} onChange={setFilters} />}
        canEdit={canEdit}
        chosen={{ lines: selection.ids.size, faults: faultsOf(chosen) }}
        hasActive={active !== undefined}
        onEdit={(change) => void editRows(change)}
        onClear={selection.clear}
        onMorning={filters.state !== 'open' || pages.count === 0 ? null : () => onMorning(null)}
      />
    </>
  );
}
