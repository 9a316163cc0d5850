import { exportJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { useMemo, useRef } from 'react';
import { UnsavedNotes, useNoteDrafts, useUnsavedIds } from '../entities/notes/note-drafts.data.ts';
import { choiceField, useUrlState } from '../kit/address/url-state.ts';
import { useSelection } from '../kit/data-table/selection.ts';
import { ExportButton } from '../kit/export/export-button.tsx';
import { useCsvExport } from '../kit/export/use-csv-export.ts';
import { useAllows } from '../kit/portal.tsx';
import { BrokenLink } from '../kit/states/broken-link.tsx';
import { DEFAULT_SORT, SORTS, useExecutions } from './daily-checks.data.ts';
import styles from './daily-checks.module.css';
import { DailyChecksFilters } from './daily-checks-filters.tsx';
import { useEditExecutions } from './edits/edits.data.ts';
import { useRunsAfter } from './edits/edits-in-flight.ts';
import { ExecutionsBar } from './edits/executions-bar.tsx';
import { useWork } from './edits/use-work.ts';
import { ExecutionsTable } from './executions-table.tsx';
import { ListSummary } from './list-summary.tsx';
import { useNewRuns } from './new-runs.data.ts';
import { NewRuns } from './new-runs.tsx';
import { NoExecutions } from './no-executions.tsx';
import { ExecutionDrawer } from './run/execution-drawer.tsx';
import { focusTable, useOpenRun } from './run/use-open-run.ts';
import { useSelectAll } from './select-all.data.ts';
import { useDailyChecksFilters } from './use-daily-checks-filters.ts';
import { useRunQueryOf } from './use-run-query.ts';

const VIEW_FIELDS = { sort: choiceField(SORTS, DEFAULT_SORT) };

/** The runs that need a person, to be worked through from the top to the last one. */
export default function DailyChecksScreen() {
  const { filters, setFilters, reset, isBroken } = useDailyChecksFilters();
  const [{ sort }, setView] = useUrlState(VIEW_FIELDS);
  const runQueryOf = useRunQueryOf();
  const runQuery = useMemo(() => runQueryOf(filters), [runQueryOf, filters]);
  const edits = useEditExecutions(runQuery, sort);
  const pages = useRunsAfter(useExecutions(runQuery, sort), edits.inFlight, runQuery);
  const canEdit = useAllows('monitoring.job-actions');
  const selection = useSelection(pages.listKey);
  const selectAll = useSelectAll(runQuery, sort, selection);
  const exported = useCsvExport(exportJobExecutions, {
    name: 'DailyChecks',
    noun: 'runs',
    input: { body: { source: 'JOBS', format: 'csv', ...runQuery, sort } },
    count: pages.count,
  });
  const news = useNewRuns(runQuery, sort, pages, edits);
  const listRef = useRef<HTMLDivElement>(null);
  const opened = useOpenRun(pages, listRef);
  const work = useWork({ pages, runQuery, selection, opened, edits, canEdit, listRef });
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
        {isBroken && <BrokenLink onReset={reset} />}
        {!isBroken && (
          <ExecutionsTable
            pages={pages}
            filters={filters}
            sort={sort}
            onSort={(next) => setView({ sort: next })}
            selection={canEdit ? selection : undefined}
            opened={opened}
            onActive={work.setActive}
            empty={<NoExecutions filters={filters} onChange={setFilters} onReset={reset} />}
          />
        )}
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
        onEdit={(change) => void work.editChosen(change)}
        selectAll={{ run: () => selectAll.mutate(), isRunning: selectAll.isPending }}
        unsavedIds={unsavedIds}
        onOpen={opened.open}
      />
    </UnsavedNotes>
  );
}
