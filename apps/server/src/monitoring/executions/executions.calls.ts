import { listJobExecutions } from '@keepwatch/contract/monitoring/job-executions';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { listExecutions } from './job-executions.ts';
import { rangeOrLastDays } from './report-range.ts';

const DAYS_DEFAULT = 2;

export const executionCalls: Route[] = [
  answer(listJobExecutions, async ({ database, scope, now }, { query }) => {
    const { from, to } = rangeOrLastDays(query, now(), DAYS_DEFAULT);
    const list = await listExecutions(database, scope, { ...query, from, to });
    return { ...list, query: { limit: query.limit, offset: query.offset, from, to } };
  }),
];
