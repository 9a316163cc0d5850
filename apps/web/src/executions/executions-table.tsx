import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { type ReactNode, useMemo } from 'react';
import { nameOfJob } from '../entities/job-name.ts';
import { useBackupClock } from '../kit/backup-clock.ts';
import { DataTable } from '../kit/data-table/data-table.tsx';
import type { Pages } from '../kit/data-table/pages.ts';
import type { Selection } from '../kit/data-table/selection.ts';
import { useRowDensity } from '../kit/row-density.ts';
import { COMPACT_EXECUTIONS } from './compact-execution.tsx';
import type { ExecutionSort } from './daily-checks.data.ts';
import { executionColumns } from './execution-columns.tsx';
import type { Filters } from './filters.ts';
import type { OpenRun } from './run/use-open-run.ts';

interface ExecutionsTableProps {
  pages: Pages<JobExecution>;
  filters: Filters;
  sort: ExecutionSort;
  onSort: (sort: ExecutionSort) => void;
  /** None for those who change nothing. */
  selection: Selection | undefined;
  opened: OpenRun;
  onActive: (run: JobExecution | undefined) => void;
  empty: ReactNode;
}

const rowId = (run: JobExecution) => run._id;

/** The runs as rows, with the columns that say something about the ones that the filters leave. */
export function ExecutionsTable(props: ExecutionsTableProps) {
  const { pages, filters, sort, onSort, selection, opened, onActive, empty } = props;
  const [density] = useRowDensity();
  const { timeZone } = useBackupClock();
  const columns = useMemo(() => executionColumns(filters, timeZone), [filters, timeZone]);
  return (
    <DataTable
      label="Job executions"
      what="the runs"
      columns={columns}
      compact={COMPACT_EXECUTIONS}
      lines={density === 'compact' ? 1 : 2}
      pages={pages}
      rowId={rowId}
      rowName={nameOfJob}
      rowsWord="runs"
      sort={sort}
      onSort={onSort}
      {...(selection === undefined ? {} : { selection })}
      onOpen={(run) => opened.open(run._id)}
      openId={opened.id}
      onActive={onActive}
      empty={empty}
    />
  );
}
