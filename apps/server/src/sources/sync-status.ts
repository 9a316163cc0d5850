import type { getLastSync, Source } from '@keepwatch/contract/sources/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { countUnassigned } from '../executions/unassigned-runs.ts';
import { type Connection, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { REPORTS_ITSELF, SOURCES } from '../runs/source-horizon.ts';
import { FAILED_MAX } from './sync/sync-report.ts';
import { SYNC_LIMIT_SECONDS } from './sync-runs.ts';
import { countUnmatched } from './unmatched-runs.ts';

type LastSync = Omit<CallReply<typeof getLastSync>, 'success'>;
export type SourceStatus = Pick<Source, 'status' | 'lastSync' | 'failed'>;

/** Number of syncs that may be missed before a source counts as no longer read. */
const MISSED_SYNCS_MAX = 2;
const NOT_READ = [
  {
    entity: 'sync',
    externalId: null,
    reason: 'No sync has begun since. Look whether a worker of the portal is running.',
  },
];

/**
 * Joins the outcome of the last sync of a source `s` as `last`. A sync counts as failed when it should have ended long ago, as its
 * process has died, or when no other began in time after it, as the data is then out of date.
 */
export function lastRunJoin(now: Date) {
  const limit = SYNC_LIMIT_SECONDS + 600;
  return sql`left join lateral (select
        case when r.status <> 'RUNNING' and r.is_over then r.failed || ${JSON.stringify(NOT_READ)}::jsonb else r.failed end as failed,
        case when r.is_over then 'FAILED' else r.status end as status
      from (select r.failed, r.status, r.started_at < ${now}::timestamptz - make_interval(secs => ${limit},
            mins => case when s.is_enabled and r.status <> 'RUNNING' then ${1 + MISSED_SYNCS_MAX} * s.sync_interval_minutes else 0 end)
          and (s.is_enabled or r.status = 'RUNNING') as is_over
        from sync_runs r where r.provider_id = s.provider_id and r.source_id = s.id order by r.started_at desc limit 1) r) last on true
    left join lateral (select r.ended_at from sync_runs r where r.provider_id = s.provider_id and r.source_id = s.id and r.ended_at is not null
      order by r.started_at desc limit 1) ended on true`;
}

export const LAST_RUN_COLUMNS = sql`coalesce(last.status, 'NEVER') as status, ended.ended_at as "lastSync", coalesce(last.failed, '[]') as failed`;

type Row = Omit<SourceStatus, 'failed'> & { name: string; failed: Omit<SourceStatus['failed'][number], 'source'>[] };

/** Returns what could not be read, with the name of the source. */
export function failedOf({ name, failed }: Pick<Row, 'name' | 'failed'>): SourceStatus['failed'] {
  return failed.map((entity) => ({ ...entity, source: name }));
}

/**
 * Merges the outcomes of the last syncs of all of a provider's sources. Only users who see all companies get the list of failures,
 * as its names may belong to any company.
 */
export async function readLastSync(connection: Connection, scope: Scope, now: Date): Promise<LastSync> {
  const found = await rows<Row>(
    connection,
    sql`select s.name, ${LAST_RUN_COLUMNS} from ${SOURCES} s ${lastRunJoin(now)}
        where s.provider_id = ${scope.providerId} and s.deleted_at is null and s.is_enabled and not ${REPORTS_ITSELF} order by s.name, s.id`,
  );
  const failed = scope.companyIds === null ? found.flatMap(failedOf).slice(0, FAILED_MAX) : [];
  const ends = found.flatMap((source) => (source.lastSync === null ? [] : [source.lastSync])).sort();
  const status = jointStatus(found.map((source) => source.status));
  const [unassigned, unmatched] = await Promise.all([
    countUnassigned(connection, scope, now),
    countUnmatched(connection, scope),
  ]);
  return { status, lastSync: ends.at(-1) ?? null, failed, ...unassigned, ...unmatched };
}

/** Merges statuses; a partial one never counts as success. */
function jointStatus(statuses: readonly Source['status'][]): Source['status'] {
  const reported = statuses.filter((status) => status !== 'NEVER');
  if (reported.length === 0) return 'NEVER';
  if (reported.includes('RUNNING')) return 'RUNNING';
  if (reported.every((status) => status === 'FAILED')) return 'FAILED';
  return reported.every((status) => status === 'SUCCEEDED') ? 'SUCCEEDED' : 'PARTIAL';
}
