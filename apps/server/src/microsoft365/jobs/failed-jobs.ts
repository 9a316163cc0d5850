import { sql } from 'drizzle-orm';
import type { Connection } from '../../foundation/database.ts';
import { readCount } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';

/** Counts the jobs that are switched on and whose last run failed, up to `max`. */
export function countFailedJobs(connection: Connection, scope: Scope, max: number): Promise<number> {
  return readCount(
    connection,
    sql`select count(*) as count from (select from m365_jobs j
          join m365_organizations o on o.provider_id = j.provider_id and o.id = j.organization_id
          cross join lateral (select s.result from m365_job_sessions s where s.provider_id = j.provider_id and s.job_id = j.id
            order by s.started_at desc, s.id limit 1) l
        where ${scope.rows('o')} and j.is_enabled and l.result = 'Failed' limit ${max}) counted`,
  );
}
