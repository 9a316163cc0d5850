import type { Fault, FaultRun } from '@keepwatch/contract/faults/faults';
import { STATUS } from '../../entities/daily-checks.ts';
import { dailyChecks } from '../../entities/places.ts';
import { ResultBadge } from '../../entities/result-badge.tsx';
import { BackupTime } from '../../kit/format/backup-time.tsx';
import { formatRuns } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import styles from './fault-runs.module.css';

/** So many are listed; the others are one click away. */
const SHOWN_MAX = 12;
/** Of a message that is the same as that of the run above it nothing is shown again. */
const MESSAGE_SHOWN = 160;

/** The runs of the fault, newest first, and when the job was last fine. */
export function FaultRuns({ fault, runs }: { fault: Fault; runs: readonly FaultRun[] | null }) {
  return (
    <section className={styles.runs} aria-label="Runs of this fault">
      <h3>{formatRuns(fault.runs)} in a row</h3>
      {runs === null ? (
        <SkeletonRows rows={4} />
      ) : (
        <ol className={styles.list}>
          {runs.slice(0, SHOWN_MAX).map((run, place) => (
            <li key={run._id}>
              <span className={styles.line}>
                <ResultBadge result={run.result} />
                <time dateTime={run.startedAt}>
                  <BackupTime at={run.startedAt} />
                </time>
              </span>
              {place > 0 && run.message !== null && run.message !== runs[place - 1]?.message && (
                <span className={styles.message} dir="auto">
                  {run.message.slice(0, MESSAGE_SHOWN)}
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      <p className={styles.fine}>
        {fault.fineAt === null ? 'No good run before.' : 'Last good run: '}
        {fault.fineAt !== null && <BackupTime at={fault.fineAt} />}
      </p>
      <ScreenLink to={dailyChecks.at({ ...STATUS, latest: false, date: 'Last 30 Days', job: [fault.jobInstanceUid] })}>
        All runs of this job, with their logs
      </ScreenLink>
    </section>
  );
}
