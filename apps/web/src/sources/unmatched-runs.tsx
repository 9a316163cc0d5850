import { ResultBadge } from '../entities/result-badge.tsx';
import type { Column } from '../kit/data-table/column.ts';
import { DataTable } from '../kit/data-table/data-table.tsx';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { BackupTime } from '../kit/format/backup-time.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import styles from './sources.module.css';
import { type UnmatchedRun, useUnmatchedRuns } from './unmatched-runs.data.ts';

const COLUMNS: readonly Column<UnmatchedRun>[] = [
  { key: 'startedAt', title: 'Started', width: '150px', cell: ({ startedAt }) => <BackupTime at={startedAt} /> },
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

/** Runs of a console's history that fit no job: it reports them by the job's name only. */
export default function UnmatchedRuns({ onClose }: { onClose: () => void }) {
  const pages = useUnmatchedRuns();
  return (
    <Dialog size="1100px" title="Unmatched runs" onClose={onClose}>
      <p className={styles.explanation}>
        These runs could not be assigned: no job of the company has the name. They are missing from all figures.
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
