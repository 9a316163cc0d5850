import type { OverviewStats } from '@keepwatch/contract/monitoring/insight';
import { COUNT_MAX } from '@keepwatch/contract/monitoring/job-executions';
import { DailyChecksLink } from '../kit/daily-checks-link.tsx';
import { formatCount, formatRatio } from '../kit/format/numbers.ts';
import type { Subject } from './dashboard-filters.ts';
import { DashboardPanel, type Reading } from './dashboard-panel.tsx';
import { LastResults } from './last-results.tsx';
import { OverviewFacts } from './overview-facts.tsx';
import styles from './overview-panel.module.css';

interface OverviewPanelProps {
  subject: Subject;
  reading: Reading<OverviewStats>;
}

/** The figures at the head: how well it goes, what waits, what the last results were, how much there is. */
export function OverviewPanel({ subject, reading }: OverviewPanelProps) {
  return (
    <DashboardPanel title="Overview" columns={12} bodyPx={148} narrowBodyPx={278} reading={reading}>
      {(stats) => (
        <div className={styles.figures}>
          <div className={styles.figure}>
            <span className={styles.label}>Success rate</span>
            <span className={styles.value}>{formatRatio(stats.successRate)}</span>
            <span className={styles.change}>{changeText(stats.successRate, stats.successRateBefore)}</span>
          </div>
          <div className={styles.figure}>
            <span className={styles.label}>Pending</span>
            <span className={styles.value}>
              <DailyChecksLink className={styles.link} filter={pendingOf(subject)}>
                {formatCount(stats.pending)}
                {stats.pending >= COUNT_MAX && '+'}
                <span className="visually-hidden"> pending</span>
              </DailyChecksLink>
            </span>
            <span className={styles.change}>{stats.pending === 0 ? 'nothing waits' : 'wait for a person'}</span>
          </div>
          <LastResults stats={stats} subject={subject} />
          <OverviewFacts stats={stats} subject={subject} />
        </div>
      )}
    </DashboardPanel>
  );
}

function pendingOf({ day, jobs }: Subject) {
  return { day, company: jobs.companyIds ?? [], source: jobs.source ?? [], state: 'pending' } as const;
}

/** `0.4 points up`: against the range of equal length before. */
export function changeText(rate: number | null, before: number | null): string {
  if (rate === null) return 'no runs in this range';
  if (before === null) return 'no runs in the range before';
  const points = Number(((rate - before) * 100).toFixed(1));
  if (points === 0) return 'as in the range before';
  return `${points > 0 ? '▲' : '▼'} ${Math.abs(points)} ${Math.abs(points) === 1 ? 'point' : 'points'} ${points > 0 ? 'up' : 'down'}`;
}
