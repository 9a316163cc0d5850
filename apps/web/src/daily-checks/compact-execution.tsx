import type { JobExecution } from '@keepwatch/contract/monitoring/job-executions';
import { ResultBadge } from '../kit/badges/result-badge.tsx';
import type { CompactRows } from '../kit/data-table/column.ts';
import { formatDateTime } from '../kit/format/dates.ts';
import styles from './compact-execution.module.css';
import { ExecutionMarks } from './execution-marks-view.tsx';

/** A run in two lines, for a phone: which job and when; how it ended, whose it is, and the beginning of why. */
export const COMPACT_EXECUTIONS: CompactRows<JobExecution> = {
  belowPx: 540,
  rowHeightPx: 56,
  headings: ['started', 'result', 'company', 'job'],
  cell: (run) => <CompactExecution run={run} />,
};

function CompactExecution({ run }: { run: JobExecution }) {
  return (
    <div className={styles.lines}>
      <span className={styles.line}>
        <span className={styles.job}>{run.jobName}</span>
        <time className={styles.time} dateTime={run.startedAt}>
          {formatDateTime(run.startedAt)}
        </time>
      </span>
      <span className={styles.line}>
        <ResultBadge result={run.result} />
        <span className={styles.company}>{run.companyName ?? 'No company'}</span>
        <span className={styles.message}>
          <ExecutionMarks run={run} />
          {run.message ?? ''}
        </span>
      </span>
    </div>
  );
}
