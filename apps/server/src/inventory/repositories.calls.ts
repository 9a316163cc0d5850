import {
  getRepositoriesTrend,
  getRepositoryHistory,
  listRepositories,
} from '@keepwatch/contract/inventory/repositories';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { reportDays } from '../runs/report-range.ts';
import { listFilledRepositories, readRepositoriesTrend, readRepositoryHistory } from './repositories.ts';

export const repositoryCalls: Route[] = [
  answer(listRepositories, ({ database, scope, now }, { query }) =>
    listFilledRepositories(database, scope, { ...query, now: now() }),
  ),

  answer(getRepositoriesTrend, async ({ database, scope, actor }, { query }) => ({
    data: await readRepositoriesTrend(database, scope, reportDays(actor.backupClock, query), query.companyIds),
  })),

  answer(getRepositoryHistory, async ({ database, scope, actor }, { query }) => {
    const days = reportDays(actor.backupClock, query);
    const history = await readRepositoryHistory(database, scope, days, query.repositoryId);
    if (history === null) throw notFound('repository');
    return { data: history };
  }),
];
