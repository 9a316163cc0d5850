import { getChanges } from '@keepwatch/contract/insights/changes';
import { getHistoryChart, getOverviewStats, listDidntRun, rankFailures } from '@keepwatch/contract/insights/insights';
import { type ComponentProps, lazy, Suspense } from 'react';
import styles from '../../kit/dashboard/dashboard.module.css';
import { useLive } from '../../kit/live/use-live.ts';
import { useAllows } from '../../kit/portal.tsx';
import { BrokenLink } from '../../kit/states/broken-link.tsx';
import { useIsDrawn } from '../../kit/use-is-drawn.ts';
import { ChangesPanel } from '../changes/changes-panel.tsx';
import { HistoryPanel } from '../history/history-panel.tsx';
import { type Subject, useDashboardFilters } from './dashboard-filters.ts';
import { DashboardToolbar } from './dashboard-toolbar.tsx';
import { InactiveJobsPanel } from './inactive-jobs-panel.tsx';
import { NoMatchingJobs } from './no-matching-jobs.ts';
import { useOverview } from './overview.data.ts';
import { OverviewPanel } from './overview-panel.tsx';
import { RankingPanel } from './ranking-panel.tsx';
import { WhenNear } from './when-near.tsx';

// A portal has jobs from its first day on: what there is before them is loaded only then.
const EmptyPortal = lazy(() => import('./empty-portal.tsx'));
const LowerPanels = lazy(() => import('./lower-panels.tsx'));
/** Two rows of panels, and what is between them. */
const LOWER_PX = 2 * 386 + 12;

export { prefetchDashboard as prefetch } from './prefetch.data.ts';

/** How the backups of all customers are, at a glance. Each panel loads on its own; those a role may not read are not there. */
export default function DashboardScreen() {
  const { filters, setFilters, subject, reset, isBroken } = useDashboardFilters();
  const overview = useOverview(subject);
  useLive('executions.changed', ['dashboard']);
  useLive('sync.changed', ['dashboard']);
  const mayOverview = useAllows(getOverviewStats.access);
  const mayHistory = useAllows(getHistoryChart.access);
  const mayChanges = useAllows(getChanges.access);
  // What is further down is drawn right after what is seen first, and in small steps: nothing waits for the whole page.
  const isFirstDrawn = useIsDrawn();
  const isNarrowed = filters.company.length > 0 || filters.source.length > 0;
  const hasNoJobs = overview.data?.jobs === 0 && !overview.isPlaceholderData;
  if (isBroken) return <BrokenDashboard filters={filters} setFilters={setFilters} onReset={reset} />;
  if (!isNarrowed && hasNoJobs)
    return (
      <Suspense>
        <EmptyPortal />
      </Suspense>
    );
  return (
    <NoMatchingJobs value={hasNoJobs}>
      <div className={styles.dashboard}>
        <DashboardToolbar filters={filters} setFilters={setFilters} />
        <div className={styles.panels}>
          {mayOverview && <OverviewPanel subject={subject} reading={overview} />}
          {mayHistory && <HistoryPanel subject={subject} isAll={filters.all} onAll={(all) => setFilters({ all })} />}
          {mayChanges && <ChangesPanel subject={subject} />}
          {isFirstDrawn && <MiddlePanels subject={subject} />}
          {isFirstDrawn && (
            <WhenNear heightPx={LOWER_PX}>
              <LowerPanels subject={subject} />
            </WhenNear>
          )}
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

function MiddlePanels({ subject }: { subject: Subject }) {
  const mayRank = useAllows(rankFailures.access);
  const mayListInactive = useAllows(listDidntRun.access);
  return (
    <>
      {mayListInactive && <InactiveJobsPanel inactivity="didnt-run" subject={subject} />}
      {mayRank && <RankingPanel kind="failures" subject={subject} />}
      {mayListInactive && <InactiveJobsPanel inactivity="disabled" subject={subject} />}
    </>
  );
}
