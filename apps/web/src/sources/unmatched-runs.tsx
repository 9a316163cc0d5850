import { ResultBadge } from '../kit/badges/result-badge.tsx';
import type { Column } from '../kit/data-table/column.ts';
import { DataTable } from '../kit/data-table/data-table.tsx';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { formatDateTime } from '../kit/format/dates.ts';
import { EmptyState } from '../kit/states/empty-state.tsx';
import styles from './sources.module.css';
import { type UnmatchedRun, useUnmatchedRuns } from './unmatched-runs.data.ts';

const COLUMNS: readonly Column<UnmatchedRun>[] = [
  { key: 'startedAt', title: 'Started', width: '150px', cell: ({ startedAt }) => formatDateTime(startedAt) },
  { key: 'result', title: 'Result', width: '110px', cell: ({ result }) => <ResultBadge result={result} /> },
  { key: 'jobName', title: 'Job', width: 'minmax(160px, 2fr)', cell: ({ jobName }) => jobName },
  { key: 'companyName', title: 'Company', width: 'minmax(120px, 1fr)', cell: ({ companyName }) => companyName ?? '–' },
  { key: 'source', title: 'Console', width: 'minmax(120px, 1fr)', cell: ({ source }) => source, minTableWidthPx: 700 },
  {
    key: 'message',
    title: 'Message',
    width: 'minmax(160px, 2fr)',
    cell: ({ message }) => <span title={message ?? undefined}>{message ?? '–'}</span>,
    minTableWidthPx: 860,
  },
];

/** Runs that a console's history names without saying of which job: shown here rather than put on a wrong one. */
export default function UnmatchedRuns({ onClose }: { onClose: () => void }) {
  const pages = useUnmatchedRuns();
  return (
    <Dialog size="1100px" title="Unmatched runs" onClose={onClose}>
      <p className={styles.explanation}>
        The history of a console names runs without their job. These fit no job, or several of the same name, so they
        are not counted anywhere. Give jobs of one company different names to have them told apart.
      </p>
      <div className={styles.runs}>
        <DataTable
          label="Unmatched runs"
          columns={COLUMNS}
          pages={pages}
          rowId={(run) => run._id}
          empty={<EmptyState title="All runs are matched" text="Every run of the history belongs to a job." />}
        />
      </div>
    </Dialog>
  );
}
