import { getSpreadsheetReport, getSpreadsheetStats, listJobNames } from '@keepwatch/contract/insights/calendar';
import { getChanges } from '@keepwatch/contract/insights/changes';
import {
  type FailureOrder,
  getHistoryChart,
  getOverviewStats,
  listDidntRun,
  rankDuration,
  rankFailures,
  rankTransferred,
} from '@keepwatch/contract/insights/insights';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { beginOf, reportDays } from '../runs/report-range.ts';
import { CALENDAR_DAYS_MAX, countJobs, readCalendar } from './calendar.ts';
import { readChanges } from './changes.ts';
import { readHistory } from './history-chart.ts';
import { listInactiveJobs } from './inactive-jobs.ts';
import { listNames } from './job-names.ts';
import { readOverview } from './overview.ts';
import { type Ranking, rankJobs } from './rankings.ts';

export const insightCalls: Route[] = [
  answer(getOverviewStats, async ({ database, scope, actor, now }, { query }) => {
    const { filter, ...range } = query;
    const days = reportDays(actor.backupClock, range);
    return { data: await readOverview(database, scope, { range, days, filter, now: now() }) };
  }),

  answer(getHistoryChart, async ({ database, scope, actor }, { query }) => {
    const { backupClock } = actor;
    const days = reportDays(backupClock, query);
    const data = await readHistory(database, scope, { days, filter: query.filter });
    return { data, recountedFrom: backupClock.recountedFrom };
  }),

  answer(getChanges, async ({ database, scope, now }, { query }) => ({
    data: await readChanges(database, scope, query.filter, now()),
  })),

  answer(rankFailures, (context, { query }) => ranked(context, 'failures', query, query.by)),
  answer(rankDuration, (context, { query }) => ranked(context, 'duration', query)),
  answer(rankTransferred, (context, { query }) => ranked(context, 'transferred', query)),

  answer(listDidntRun, ({ database, scope, now }, { query }) =>
    listInactiveJobs(database, scope, { ...query, now: now() }),
  ),

  answer(getSpreadsheetReport, async ({ database, scope, actor }, { query }) => {
    const { backupClock } = actor;
    const days = reportDays(backupClock, query, CALENDAR_DAYS_MAX);
    const page = await readCalendar(database, scope, { ...query, days, begin: beginOf(backupClock, days) });
    return { ...page, firstDay: days.firstDay, recountedFrom: backupClock.recountedFrom };
  }),

  answer(getSpreadsheetStats, async ({ database, scope, actor }, { query }) => {
    const days = reportDays(actor.backupClock, query, CALENDAR_DAYS_MAX);
    const begin = beginOf(actor.backupClock, days);
    const all = { days, begin, filter: { ...query.filter, withTrouble: false }, limit: 0, offset: 0 };
    const [jobs, counted] = await Promise.all([
      countJobs(database, scope, all),
      readHistory(database, scope, { days, filter: query.filter }),
    ]);
    return { data: { ...jobs, days: counted }, recountedFrom: actor.backupClock.recountedFrom };
  }),

  answer(listJobNames, ({ database, scope }, { query }) => listNames(database, scope, query)),
];

type RankingRequest = CallInput<typeof rankDuration>['query'];

async function ranked(
  { database, scope, actor }: SignedInContext,
  ranking: Ranking,
  query: RankingRequest,
  by: FailureOrder = 'count',
) {
  const { filter, limit } = query;
  const days = reportDays(actor.backupClock, query);
  return { data: await rankJobs(database, scope, { ranking, by, days, filter, limit }) };
}
