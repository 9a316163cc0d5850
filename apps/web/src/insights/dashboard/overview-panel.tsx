import type { OverviewStats } from '@keepwatch/contract/insights/insights';
import { COUNT_MAX } from '@keepwatch/contract/runs/values';
import { companies, dailyChecks } from '../../entities/places.ts';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { countDays } from '../../kit/date-range/date-range.ts';
import { Figure } from '../../kit/facts/figure.tsx';
import { formatCount, formatRatio } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { runsOf } from '../history/history-day.tsx';
import { LAYERS } from '../history/history-layers.ts';
import type { Subject } from './dashboard-filters.ts';
import { LastResults } from './last-results.tsx';
import { OverviewFacts } from './overview-facts.tsx';
import styles from './overview-panel.module.css';

interface OverviewPanelProps {
  subject: Subject;
  reading: Reading<OverviewStats>;
}

/** The figures at the head: how well it goes, what waits, what the last results were, how much there is. */
export function OverviewPanel({ subject, reading }: OverviewPanelProps) {
  const days = countDays(subject.days.from.slice(0, 10), subject.days.to.slice(0, 10));
  return (
    <DashboardPanel title="Overview" columns={12} bodyPx={156} narrowBodyPx={344} growsNarrow reading={reading}>
      {(stats) => (
        <div className={styles.figures}>
          <SuccessRate stats={stats} subject={subject} days={days} />
          <Pending stats={stats} subject={subject} days={days} />
          <LastResults stats={stats} subject={subject} />
          <OverviewFacts stats={stats} subject={subject} />
        </div>
      )}
    </DashboardPanel>
  );
}

const RATE_DEFINITION =
  'Successful runs of all that ended or did not run. Runs with a warning are not counted as successful; running ones count later.';

interface FigureProps {
  stats: OverviewStats;
  /** How many days the figure is of. */
  days: number;
}

/** Each share leads to the runs that it counts. */
function SuccessRate({ stats, subject, days }: FigureProps & { subject: Subject }) {
  const { successRate, successRateBefore, warningRate, successRuns, warningRuns, countedRuns } = stats;
  const shareOf = (result: 'Success' | 'Warning', rate: number | null, runs: number) => (
    <ScreenLink
      key={result}
      className={styles.link}
      to={runsOf(
        subject,
        subject.day,
        LAYERS.filter((layer) => layer.result === result),
      )}
    >
      {formatRatio(rate)}
      <span className="visually-hidden">{` (${formatCount(runs)} of ${formatCount(countedRuns)} runs)`}</span>
    </ScreenLink>
  );
  return (
    <Figure
      label="Success rate"
      definition={RATE_DEFINITION}
      value={shareOf('Success', successRate, successRuns)}
      notes={[
        warningRate === null ? null : <>+ {shareOf('Warning', warningRate, warningRuns)} with a warning</>,
        changeText(successRate, successRateBefore, days),
      ]}
    />
  );
}

function Pending({ stats: { pending }, subject, days }: FigureProps & { subject: Subject }) {
  const { day, jobs } = subject;
  return (
    <Figure
      label={`Pending (${days === 1 ? '1 day' : `${days} days`})`}
      value={
        <ScreenLink
          className={styles.link}
          to={dailyChecks.at({ day, company: jobs.companyIds ?? [], source: jobs.source ?? [], state: 'pending' })}
          otherwise={companies.at({ sort: '-pending' })}
        >
          {formatCount(pending)}
          {pending >= COUNT_MAX && '+'}
          <span className="visually-hidden"> pending</span>
        </ScreenLink>
      }
      notes={[pending === 0 ? 'nothing to review' : 'to review']}
    />
  );
}

/** `▲ 0.4 pts vs. previous 7 days`: against the range of equal length before. */
export function changeText(rate: number | null, before: number | null, days: number): string {
  const previous = days === 1 ? 'previous day' : `previous ${days} days`;
  if (rate === null) return days === 1 ? 'no runs on this day' : `no runs in these ${days} days`;
  if (before === null) return `no runs in the ${previous}`;
  const points = Number(((rate - before) * 100).toFixed(1));
  if (points === 0) return `same as the ${previous}`;
  return `${points > 0 ? '▲' : '▼'} ${Math.abs(points).toFixed(1)} pts vs. ${previous}`;
}
