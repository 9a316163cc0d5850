import { getHistoryChart, getOverviewStats, listDidntRun } from '@keepwatch/contract/monitoring/insight';
import type { Call } from '@keepwatch/contract/wire/call';
import { userAllows } from '../kit/portal.tsx';
import type { Arrival } from '../kit/screen.ts';
import { subjectAt } from './dashboard-filters.ts';
import { historyQuery } from './history.data.ts';
import { overviewQuery } from './overview.data.ts';
import { silentJobsQuery } from './silent-jobs.data.ts';

/** Asks for the panels that stand above the fold, each if the user may read it. */
export function prefetchDashboard({ portal, queries, search }: Arrival): void {
  const { api, clock, session } = portal;
  const user = session.get()?.user;
  if (user === undefined) return;
  const subject = subjectAt(search, clock.now());
  const may = ({ access }: Call) => access === 'public' || access === 'signed-in' || userAllows(user, access);
  if (may(getOverviewStats)) void queries.prefetchQuery(overviewQuery(api, subject));
  if (may(getHistoryChart)) void queries.prefetchQuery(historyQuery(api, subject));
  if (may(listDidntRun)) void queries.prefetchInfiniteQuery(silentJobsQuery(api, 'didnt-run', subject, false));
}
