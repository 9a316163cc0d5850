import type { BackupStatus, RunsOfDay } from '@keepwatch/contract/microsoft365/dashboard';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, row, rows } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { type Days, dayAfter } from '../../runs/report-range.ts';

/** Counts jobs by the result of their last run, and runs by the UTC day on which they began. */
export async function readStatus(connection: Connection, scope: Scope, days: Days): Promise<BackupStatus> {
  const [jobs, counted] = await Promise.all([
    row<BackupStatus['jobs']>(connection, jobsQuery(scope)),
    rows<RunsOfDay>(connection, runsQuery(scope, days)),
  ]);
  return { jobs: jobs ?? NO_JOBS, days: everyDay(days, counted) };
}

const NO_JOBS = { total: 0, success: 0, warning: 0, failed: 0, running: 0, neverRun: 0, disabled: 0 };

const JOBS = sql`m365_jobs j join m365_organizations o on o.provider_id = j.provider_id and o.id = j.organization_id`;

function jobsQuery(scope: Scope): SQL {
  const last = (result: string) => sql`count(*) filter (where l.result = ${result})`;
  return sql`select count(*) as total, ${last('Success')} as success, ${last('Warning')} as warning, ${last('Failed')} as failed,
      ${last('Running')} as running, count(*) filter (where l.result is null) as "neverRun", count(*) filter (where not j.is_enabled) as disabled
    from ${JOBS} left join lateral (
      select s.result from m365_job_sessions s where s.provider_id = j.provider_id and s.job_id = j.id
      order by s.started_at desc, s.id limit 1) l on true
    where ${scope.rows('o')}`;
}

function runsQuery(scope: Scope, { firstDay, lastDay }: Days): SQL {
  const ended = (result: string) => sql`count(*) filter (where s.result = ${result})`;
  return sql`select (s.started_at at time zone 'UTC')::date as day, ${ended('Success')} as success, ${ended('Warning')} as warning,
      ${ended('Failed')} as failed, ${ended('Running')} as running
    from m365_job_sessions s join ${JOBS} on j.provider_id = s.provider_id and j.id = s.job_id
    where s.provider_id = ${scope.providerId} and s.started_at >= ${`${firstDay}T00:00:00Z`}::timestamptz
      and s.started_at < ${`${dayAfter(lastDay, 1)}T00:00:00Z`}::timestamptz and ${scope.rows('o')}
    group by day`;
}

function everyDay({ firstDay, lastDay, count }: Days, counted: readonly RunsOfDay[]): RunsOfDay[] {
  const byDay = new Map(counted.map((runs) => [runs.day, runs]));
  return Array.from({ length: count }, (_, place) => dayAfter(firstDay, place))
    .filter((day) => day <= lastDay)
    .map((day) => byDay.get(day) ?? { day, success: 0, warning: 0, failed: 0, running: 0 });
}
