import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { ResultBadge } from '../entities/result-badge.tsx';
import { useBackupClock } from '../kit/backup-clock.ts';
import type { CompactRows } from '../kit/data-table/column.ts';
import { formatDayTime } from '../kit/format/day-time.ts';
import { useClock } from '../kit/portal.tsx';
import styles from './compact-execution.module.css';
import { changedText } from './edits/changed-by.ts';
import { ExecutionReason } from './run/execution-reason.tsx';
import { RunDuration } from './run/run-duration.tsx';

/** A run on a phone: which job and when; how it ended and whose it is; and two lines for why. */
export const COMPACT_EXECUTIONS: CompactRows<JobExecution> = {
  belowPx: 540,
  rowHeightPx: 98,
  headings: ['started', 'result', 'company', 'job'],
  cell: (run) => <CompactExecution run={run} />,
};

function CompactExecution({ run }: { run: JobExecution }) {
  const now = useClock().now();
  const { timeZone } = useBackupClock();
  return (
    <div className={styles.lines}>
      <span className={styles.line}>
        <span className={styles.job}>{run.jobName}</span>
        <time className={styles.time} dateTime={run.startedAt}>
          {formatDayTime(run.startedAt, now, timeZone)}
        </time>
      </span>
      <span className={styles.line}>
        <ResultBadge result={run.result} />
        <span className={styles.company}>
          {run.companyName ?? 'No company'}
          {run.tool !== null && ` · ${run.tool}`}
        </span>
        {run.state === 'in-progress' && <span className={styles.time}>{changedText(run, timeZone)}</span>}
        <span className={styles.time}>
          <RunDuration run={run} />
        </span>
      </span>
      <span className={styles.message} data-part="reason">
        <ExecutionReason run={run} />
      </span>
    </div>
  );
}
