import type { JobExecution } from '@keepwatch/contract/monitoring/job-executions';
import { useMemo, useRef } from 'react';
import { DataTable } from '../kit/data-table/data-table.tsx';
import { useSelection } from '../kit/data-table/selection.ts';
import { useAllows } from '../kit/portal.tsx';
import { useRowDensity } from '../kit/row-density.ts';
import { choiceField, useUrlState } from '../kit/url-state.ts';
import { useNow } from '../kit/use-now.ts';
import { COMPACT_EXECUTIONS } from './compact-execution.tsx';
import { DEFAULT_SORT, SORTS, useExecutions } from './daily-checks.data.ts';
import styles from './daily-checks.module.css';
import { DailyChecksFilters } from './daily-checks-filters.tsx';
import { useEditExecutions } from './edits.data.ts';
import { COLUMNS_OF_ONE_STATE, EXECUTION_COLUMNS } from './execution-columns.tsx';
import { ExecutionDrawer } from './execution-drawer.tsx';
import { ExecutionsBar } from './executions-bar.tsx';
import { useExport } from './export.data.ts';
import { ExportButton } from './export-button.tsx';
import { hasOneState, questionOf } from './filters.ts';
import { ListSummary } from './list-summary.tsx';
import { useNewRuns } from './new-runs.data.ts';
import { NewRuns } from './new-runs.tsx';
import { NoExecutions } from './no-executions.tsx';
import { UnsavedNotes, useNoteDrafts, useUnsavedIds } from './note-drafts.data.ts';
import { useSelectAll } from './select-all.data.ts';
import { useFilters } from './use-filters.ts';
import { focusTable, useOpenRun } from './use-open-run.ts';
import { useWork } from './use-work.ts';

const VIEW_FIELDS = { sort: choiceField(SORTS, DEFAULT_SORT) };

const rowId = (run: JobExecution) => run._id;

/** The runs that need a person, to be worked through from the top to the last one. */
export default function DailyChecksScreen() {
  const { filters, setFilters, reset } = useFilters();
  const [{ sort }, setView] = useUrlState(VIEW_FIELDS);
  const today = useNow((now) => now.toDateString());
  const question = useMemo(() => questionOf(filters, new Date(today)), [filters, today]);
  const [density] = useRowDensity();
  const pages = useExecutions(question, sort);
  const canEdit = useAllows('monitoring.job-actions');
  const selection = useSelection(pages.listKey);
  const selectAll = useSelectAll(question, sort, selection);
  const exported = useExport(question, sort, pages.count);
  const news = useNewRuns(question, sort, pages);
  const listRef = useRef<HTMLDivElement>(null);
  const opened = useOpenRun(pages, listRef);
  const edit = useEditExecutions(question, sort);
  const work = useWork({ pages, question, selection, opened, edit, canEdit, listRef });
  const drafts = useNoteDrafts();
  const unsavedIds = useUnsavedIds(drafts);
  return (
    <UnsavedNotes value={unsavedIds}>
      <button type="button" className={styles.skip} onClick={() => focusTable(listRef)}>
        Skip to the list of runs
      </button>
      <DailyChecksFilters
        filters={filters}
        onChange={setFilters}
        end={<ExportButton exported={exported} count={pages.count} />}
      />
      <div ref={listRef} className={styles.list}>
        <DataTable
          label="Job executions"
          what="the runs"
          columns={hasOneState(filters) ? COLUMNS_OF_ONE_STATE : EXECUTION_COLUMNS}
          compact={COMPACT_EXECUTIONS}
          lines={density === 'compact' ? 1 : 2}
          pages={pages}
          rowId={rowId}
          sort={sort}
          onSort={(next) => setView({ sort: SORTS.find((known) => known === next) ?? DEFAULT_SORT })}
          {...(canEdit ? { selection } : {})}
          onOpen={(run) => opened.open(run._id)}
          openId={opened.id}
          onActive={work.setActive}
          empty={<NoExecutions filters={filters} onChange={setFilters} onReset={reset} />}
        />
        <NewRuns {...news} />
        {opened.id !== null && (
          <ExecutionDrawer
            id={opened.id}
            row={opened.row}
            place={opened.place}
            canEdit={canEdit}
            drafts={drafts}
            onEdit={work.editOpen}
            onMove={opened.move}
            onOpen={opened.open}
            onClose={opened.close}
          />
        )}
      </div>
      <ExecutionsBar
        count={pages.count}
        summary={<ListSummary count={pages.count} filters={filters} onChange={setFilters} />}
        selection={selection}
        canEdit={canEdit}
        isRunOpen={opened.id !== null}
        edit={work.editChosen}
        selectAll={{ run: () => selectAll.mutate(), isRunning: selectAll.isPending }}
        unsavedIds={unsavedIds}
        onOpen={opened.open}
      />
    </UnsavedNotes>
  );
}
