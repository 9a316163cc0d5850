import { listCompanies } from '@keepwatch/contract/companies/companies';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { listCauses, listFaults } from '@keepwatch/contract/faults/faults';
import { getSpreadsheetReport, getSpreadsheetStats, listJobNames } from '@keepwatch/contract/insights/calendar';
import {
  getHistoryChart,
  getOverviewStats,
  listDidntRun,
  rankDuration,
  rankFailures,
  rankTransferred,
} from '@keepwatch/contract/insights/insights';
import { getComputersStatus } from '@keepwatch/contract/inventory/computers';
import { listRepositories } from '@keepwatch/contract/inventory/repositories';
import { getLastSync } from '@keepwatch/contract/sources/sources';
import type { Call } from '@keepwatch/contract/wire/call';
import { addressOf } from '@keepwatch/contract/wire/client';
import type { QueryObject } from '@keepwatch/contract/wire/query';

/** One request that a screen makes, as that screen makes it. */
export interface MeasuredCall {
  screen: 'dashboard' | 'daily checks' | 'calendar' | 'companies';
  name: string;
  address: string;
  /** Where a screen is worked from all morning, stricter than for the others. */
  limits: Limits;
}

/** The p95 in milliseconds, and how much longer the median may take with ten times the rows. */
export interface Limits {
  p95Ms: number;
  growth: number;
}

const USUAL: Limits = { p95Ms: 100, growth: 1.5 };
/** The first page of the queue. */
const QUEUE: Limits = { p95Ms: 60, growth: 1.2 };

const DAY_MS = 86_400_000;
/** Rows that the daily checks ask for at once. */
const CHECKS_ROWS = 50;

/** What the dashboard, the daily checks and the calendar ask for. `today`: the moment up to which there is data. */
export function measuredCalls(today: Date): MeasuredCall[] {
  const days = (count: number) => ({ from: new Date(today.getTime() - count * DAY_MS), to: today });
  const measured = (
    screen: MeasuredCall['screen'],
    name: string,
    call: Call,
    query: QueryObject = {},
    limits = USUAL,
  ): MeasuredCall => ({
    screen,
    name,
    address: addressOf(call, { query }),
    limits,
  });
  const pending = { limit: CHECKS_ROWS, filter: { state: 'pending' } };
  return [
    measured('dashboard', 'overview, 7 days', getOverviewStats, days(7)),
    measured('dashboard', 'history chart, 7 days', getHistoryChart, days(7)),
    measured('dashboard', 'ranking failures, 7 days', rankFailures, days(7)),
    measured('dashboard', 'ranking duration, 7 days', rankDuration, days(7)),
    measured('dashboard', 'ranking transferred, 7 days', rankTransferred, days(7)),
    measured('dashboard', "didn't run", listDidntRun, { limit: 10 }),
    measured('dashboard', 'disabled', listDidntRun, { limit: 10, filter: { type: 'disabled' } }),
    measured('dashboard', 'repositories near full', listRepositories, { limit: 10 }),
    measured('dashboard', 'computers', getComputersStatus),
    measured('dashboard', 'last sync', getLastSync),
    measured('daily checks', 'pending, 2 days', listJobExecutions, { ...pending, ...days(2) }),
    measured('daily checks', 'pending, page 3', listJobExecutions, { ...pending, ...days(2), offset: 2 * CHECKS_ROWS }),
    measured('daily checks', 'pending by company', listJobExecutions, { ...pending, ...days(2), sort: 'companyName' }),
    measured('daily checks', 'all states, 2 days', listJobExecutions, {
      limit: CHECKS_ROWS,
      filter: { state: 'all' },
      ...days(2),
    }),
    measured('daily checks', 'searched, 2 days', listJobExecutions, {
      limit: CHECKS_ROWS,
      filter: { state: 'all', search: 'srv-3' },
      ...days(2),
    }),
    measured('daily checks', 'latest pending, 2 days', listJobExecutions, {
      ...pending,
      filter: { state: 'pending', latest: true },
      ...days(2),
    }),
    measured('daily checks', 'latest that failed, any time', listJobExecutions, {
      limit: CHECKS_ROWS,
      filter: { state: 'all', ignored: true, latest: true, type: 'Failed' },
    }),
    measured('daily checks', 'faults', listFaults, { limit: CHECKS_ROWS }, QUEUE),
    measured('daily checks', 'faults, page 3', listFaults, { limit: CHECKS_ROWS, offset: 2 * CHECKS_ROWS }),
    measured('daily checks', 'healed faults', listFaults, { limit: CHECKS_ROWS, filter: { state: 'healed' } }),
    measured('daily checks', 'faults, searched', listFaults, { limit: CHECKS_ROWS, filter: { search: 'srv-3' } }),
    measured('daily checks', 'causes', listCauses, { limit: CHECKS_ROWS }, QUEUE),
    measured('daily checks', 'job names', listJobNames, { limit: 20, search: 'Job 7' }),
    measured('calendar', '100 jobs by a month', getSpreadsheetReport, { limit: 100, ...days(31) }),
    measured('calendar', '500 jobs by a month', getSpreadsheetReport, { limit: 500, offset: 4_000, ...days(31) }),
    measured('calendar', 'totals of a month', getSpreadsheetStats, days(31)),
    measured('companies', 'by failures', listCompanies, { limit: 100, sort: '-failed' }),
  ];
}
