import { getChanges } from '@keepwatch/contract/insights/changes';
import { getHistoryChart, getOverviewStats } from '@keepwatch/contract/insights/insights';
import type { Call } from '@keepwatch/contract/wire/call';
import type { Arrival } from '../../kit/screen.ts';
import { userAllows } from '../../kit/user-allows.ts';
import { changesQuery } from '../changes/changes.data.ts';
import { historyQuery } from '../history/history.data.ts';
import { subjectAt } from './dashboard-filters.ts';
import { overviewQuery } from './overview.data.ts';

/** Reads the panels above the fold, each if the user may read it. */
export function prefetchDashboard({ portal, queries, search }: Arrival): void {
  const { api, clock, session } = portal;
  const user = session.get()?.user;
  if (user === undefined) return;
  const subject = subjectAt(search, clock.now(), user);
  const may = ({ access }: Call) => access === 'public' || access === 'signed-in' || userAllows(user, access);
  if (may(getOverviewStats)) void queries.prefetchQuery(overviewQuery(api, subject));
  if (may(getHistoryChart)) void queries.prefetchQuery(historyQuery(api, subject));
  if (may(getChanges)) void queries.prefetchQuery(changesQuery(api, subject));
}
