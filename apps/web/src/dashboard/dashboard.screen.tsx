import { getHistoryChart, getOverviewStats, listDidntRun, rankFailures } from '@keepwatch/contract/monitoring/insight';
import { listRepositories } from '@keepwatch/contract/monitoring/repositories';
import { type ComponentProps, useDeferredValue } from 'react';
import { useAllows } from '../kit/portal.tsx';
import { BrokenLink } from '../kit/states/broken-link.tsx';
import { useLive } from '../kit/use-live.ts';
import styles from './dashboard.module.css';
import { type Subject, useDashboardFilters } from './dashboard-filters.ts';
import { DashboardToolbar } from './dashboard-toolbar.tsx';
import { EmptyPortal } from './empty-portal.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { NoMatchingJobs } from './no-matching-jobs.ts';
import { useOverview } from './overview.data.ts';
import { OverviewPanel } from './overview-panel.tsx';
import { RankingPanel } from './ranking-panel.tsx';
import { RepositoriesPanel } from './repositories-panel.tsx';
import { SilentJobsPanel } from './silent-jobs-panel.tsx';

export { prefetchDashboard as prefetch } from './prefetch.data.ts';

/** How the backups of all customers are, at a glance. Each panel loads on its own; those a role may not read are not there. */
export default function DashboardScreen() {
  const { filters, setFilters, subject, reset, isBroken } = useDashboardFilters();
  const overview = useOverview(subject);
  useLive('executions.changed', ['dashboard']);
  useLive('sync.changed', ['dashboard']);
  const mayOverview = useAllows(getOverviewStats.access);
  const mayHistory = useAllows(getHistoryChart.access);
  const maySilent = useAllows(listDidntRun.access);
  // What is further down is drawn right after what is seen first, and in small steps: nothing waits for the whole page.
  const isFirstDrawn = useDeferredValue(true, false);
  const isNarrowed = filters.company.length > 0 || filters.source.length > 0;
  const hasNoJobs = overview.data?.jobs === 0 && !overview.isPlaceholderData;
  if (isBroken) return <BrokenDashboard filters={filters} setFilters={setFilters} onReset={reset} />;
  if (!isNarrowed && hasNoJobs) return <EmptyPortal />;
  return (
    <NoMatchingJobs value={hasNoJobs}>
      <div className={styles.dashboard}>
        <DashboardToolbar filters={filters} setFilters={setFilters} />
        <div className={styles.panels}>
          {mayOverview && <OverviewPanel subject={subject} reading={overview} />}
          {mayHistory && (
            <HistoryPanel
              subject={subject}
              isTroubleOnly={filters.trouble}
              onTroubleOnly={(trouble) => setFilters({ trouble })}
            />
          )}
          {maySilent && <SilentJobsPanel silence="didnt-run" subject={subject} />}
          {isFirstDrawn && <LowerPanels subject={subject} />}
        </div>
      </div>
    </NoMatchingJobs>
  );
}

/** What no panel can show is said once. */
function BrokenDashboard({ onReset, ...toolbar }: ComponentProps<typeof DashboardToolbar> & { onReset: () => void }) {
  return (
    <div className={styles.dashboard}>
      <DashboardToolbar {...toolbar} />
      <BrokenLink onReset={onReset} />
    </div>
  );
}

function LowerPanels({ subject }: { subject: Subject }) {
  const mayRank = useAllows(rankFailures.access);
  const mayRepositories = useAllows(listRepositories.access);
  const maySilent = useAllows(listDidntRun.access);
  return (
    <>
      {mayRank && <RankingPanel kind="failures" subject={subject} />}
      {mayRank && <RankingPanel kind="duration" subject={subject} />}
      {mayRank && <RankingPanel kind="transferred" subject={subject} />}
      {mayRepositories && <RepositoriesPanel subject={subject} />}
      {maySilent && <SilentJobsPanel silence="disabled" subject={subject} />}
    </>
  );
}
