import type { FailureOrder, RankedJob } from '@keepwatch/contract/insights/insights';
import { useState } from 'react';
import { dailyChecks } from '../../entities/places.ts';
import { formatDuration } from '../../kit/format/durations.ts';
import { formatBytes, formatCount, formatRuns } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { ToggleButton } from '../../kit/toggle-button.tsx';
import { companyOf } from './company-of.ts';
import type { Subject } from './dashboard-filters.ts';
import { DashboardPanel } from './dashboard-panel.tsx';
import { useEmptyText } from './no-matching-jobs.ts';
import styles from './ranking-panel.module.css';
import { RANKED_MAX, type RankingKind, useRanking } from './rankings.data.ts';

interface Look {
  title: string;
  valueText: (job: RankedJob) => string;
  emptyText: string;
}

const LOOKS: Readonly<Record<RankingKind, Look>> = {
  failures: {
    title: 'Most failures',
    valueText: ({ value, runs }) => `${formatCount(value)} of ${formatCount(runs)}`,
    emptyText: 'No job failed on these days.',
  },
  duration: {
    title: 'Longest runs',
    valueText: ({ value }) => formatDuration(value),
    emptyText: 'No job ran on these days.',
  },
  transferred: {
    title: 'Most transferred',
    valueText: ({ value }) => formatBytes(value),
    emptyText: 'No job transferred anything on these days.',
  },
};

const ROW_PX = 42;

/** The jobs that rank first in something. Each links to all its runs of the range. */
export function RankingPanel({ kind, subject }: { kind: RankingKind; subject: Subject }) {
  const [by, setBy] = useState<FailureOrder>('rate');
  const reading = useRanking(kind, subject, by);
  const { title, valueText, emptyText: noneText } = LOOKS[kind];
  const emptyText = useEmptyText(noneText);
  return (
    <DashboardPanel
      title={title}
      columns={4}
      bodyPx={RANKED_MAX * ROW_PX + 8}
      reading={reading}
      emptyText={(jobs) => (jobs.length === 0 ? emptyText : null)}
      {...(kind === 'failures' ? { actions: <OrderSwitch by={by} onChange={setBy} /> } : {})}
    >
      {(jobs) => (
        <ol className={styles.list}>
          {jobs.map((job) => (
            <Row
              key={job.jobInstanceUid}
              job={job}
              day={subject.day}
              share={job.value / Math.max(1, kind === 'failures' && by === 'rate' ? job.runs : (jobs[0]?.value ?? 1))}
              text={valueText(job)}
            />
          ))}
        </ol>
      )}
    </DashboardPanel>
  );
}

const ORDERS = [
  { by: 'rate', word: 'By rate', hint: 'By the share of runs that failed; jobs with few runs weigh less' },
  { by: 'count', word: 'By count', hint: 'By how many runs failed' },
] as const satisfies readonly { by: FailureOrder; word: string; hint: string }[];

function OrderSwitch({ by, onChange }: { by: FailureOrder; onChange: (by: FailureOrder) => void }) {
  return ORDERS.map((order) => (
    <span key={order.by} title={order.hint}>
      <ToggleButton isOn={order.by === by} onChange={() => onChange(order.by)}>
        {order.word}
      </ToggleButton>
    </span>
  ));
}

interface RowProps {
  job: RankedJob;
  /** The UTC days of the ranking. */
  day: string;
  /** How much of its width the bar fills, 0 to 1. */
  share: number;
  /** The job's value. */
  text: string;
}

function Row({ job, day, share, text }: RowProps) {
  return (
    <li className={styles.row}>
      <ScreenLink
        className={styles.job}
        title={job.jobName}
        to={dailyChecks.at({ day, job: [job.jobInstanceUid], state: 'all', ignored: true })}
        otherwise={companyOf(job)}
      >
        {job.jobName}
      </ScreenLink>
      <span className={styles.company}>{job.companyName ?? 'No company'}</span>
      <span className={styles.value} title={formatRuns(job.runs)}>
        {text}
      </span>
      <span className={styles.track} aria-hidden>
        <span className={styles.bar} style={{ width: `${share * 100}%` }} />
      </span>
    </li>
  );
}
