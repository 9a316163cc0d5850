import type { JobFilter } from '@keepwatch/contract/executions/filters';
import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { transferredOf } from '../runs/bounded-sums.ts';
import { type Days, dayAfter } from '../runs/report-range.ts';
import { rollups } from './counted-days.ts';

export interface HistoryQuery {
  days: Days;
  filter: JobFilter;
}

export function historyQuery(scope: Scope, { days, filter }: HistoryQuery): SQL {
  const transferred = transferredOf();
  return sql`select d.day, sum(d.success)::bigint as success, sum(d.warning)::bigint as warning, sum(d.failed)::bigint as failed,
      sum(d.running)::bigint as running, sum(d.didnt_run)::bigint as "didntRun", sum(d.anomalies)::bigint as anomalies,
      ${transferred.bytes} as "transferredBytes", ${transferred.isPartial} as "isTransferredPartial"
    ${rollups(scope, days, filter)} group by d.day`;
}

/** Reads the sums of each day of the range, oldest first, with zeros for days without runs. */
export async function readHistory(connection: Connection, scope: Scope, query: HistoryQuery): Promise<DayCounts[]> {
  const counted = await rows<DayCounts>(connection, historyQuery(scope, query));
  const byDay = new Map(counted.map((counts) => [counts.day, counts]));
  return Array.from({ length: query.days.count }, (_, index) => {
    const day = dayAfter(query.days.firstDay, index);
    return byDay.get(day) ?? { day, ...NOTHING };
  });
}

const NOTHING = {
  success: 0,
  warning: 0,
  failed: 0,
  running: 0,
  didntRun: 0,
  anomalies: 0,
  transferredBytes: 0,
  isTransferredPartial: false,
};
