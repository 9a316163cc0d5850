import type { RankedJob } from '@keepwatch/contract/monitoring/insight';
import { DailyChecksLink } from '../kit/daily-checks-link.tsx';
import { formatDuration } from '../kit/format/durations.ts';
import { formatBytes, formatCount } from '../kit/format/numbers.ts';
import type { Subject } from './dashboard-filters.ts';
import { DashboardPanel } from './dashboard-panel.tsx';
import styles from './ranking-panel.module.css';
import { RANKED_MAX, type RankingKind, useRanking } from './rankings.data.ts';

interface Look {
  title: string;
  formatValue: (value: number) => string;
  emptyText: string;
}

const LOOKS: Readonly<Record<RankingKind, Look>> = {
  failures: {
    title: 'Most failures',
    formatValue: formatCount,
    emptyText: 'No job failed on these days.',
  },
  duration: {
    title: 'Longest run',
    formatValue: formatDuration,
    emptyText: 'No job ran on these days.',
  },
  transferred: {
    title: 'Most transferred',
    formatValue: formatBytes,
    emptyText: 'No job transferred anything on these days.',
  },
};

const ROW_PX = 42;

/** The jobs that lead in something. Each leads to all its runs of the range. */
export function RankingPanel({ kind, subject }: { kind: RankingKind; subject: Subject }) {
  const reading = useRanking(kind, subject);
  const { title, formatValue, emptyText } = LOOKS[kind];
  return (
    <DashboardPanel
      title={title}
      columns={4}
      bodyPx={RANKED_MAX * ROW_PX + 8}
      reading={reading}
      emptyText={(jobs) => (jobs.length === 0 ? emptyText : null)}
    >
      {(jobs) => (
        <ol className={styles.list}>
          {jobs.map((job) => (
            <Row
              key={job.jobInstanceUid}
              job={job}
              day={subject.day}
              most={jobs[0]?.value ?? 0}
              formatValue={formatValue}
            />
          ))}
        </ol>
      )}
    </DashboardPanel>
  );
}

interface RowProps {
  job: RankedJob;
  /** The UTC days of the ranking. */
  day: string;
  /** The value of the first job, to which the bars are relative. */
  most: number;
  formatValue: Look['formatValue'];
}

function Row({ job, day, most, formatValue }: RowProps) {
  const ratio = most === 0 ? 0 : job.value / most;
  return (
    <li className={styles.row}>
      <DailyChecksLink
        className={styles.job}
        title={job.jobName}
        filter={{ day, job: [job.jobInstanceUid], state: 'all', ignored: true }}
      >
        {job.jobName}
      </DailyChecksLink>
      <span className={styles.company}>{job.companyName ?? 'No company'}</span>
      <span className={styles.value} title={`${formatCount(job.runs)} runs`}>
        {formatValue(job.value)}
      </span>
      <span className={styles.track} aria-hidden>
        <span className={styles.bar} style={{ width: `${ratio * 100}%` }} />
      </span>
    </li>
  );
}
