import { sql } from 'drizzle-orm';
import { PROVIDERS } from '../../branding/brands.ts';
import { COMPANIES } from '../../directory/companies.ts';
import { type Connection, row } from '../../foundation/database.ts';
import type { EndedRun } from './job-mail.ts';

/** Lines of problems in a mail; the others are in the log. */
const PROBLEMS_MAX = 10;

/** A run with the host name of its provider's brand. */
export type RunToMail = EndedRun & { domain: string };

/** Reads a run that has ended with what its mail says; `null` where it was deleted meanwhile. */
export function readEndedRun(connection: Connection, providerId: number, sessionId: string): Promise<RunToMail | null> {
  const problems = sql`from m365_session_log g where g.provider_id = s.provider_id and g.session_id = s.id and g.level <> 'info'`;
  return row(
    connection,
    sql`select s.id as "sessionId", s.job_id as "jobId", j.name as "jobName", o.name as "organizationName", c.name as "companyName", p.domain,
          s.result, s.message, s.started_at as "startedAt", s.ended_at as "endedAt", j.schedule->>'timeZone' as "timeZone",
          array(select coalesce(g.object_name || ': ', '') || g.text ${problems} order by g.level = 'warning', g.line limit ${PROBLEMS_MAX}) as problems,
          (select count(*) ${problems}) as "problemCount"
        from m365_job_sessions s join m365_jobs j on j.provider_id = s.provider_id and j.id = s.job_id
          join m365_organizations o on o.provider_id = j.provider_id and o.id = j.organization_id
          join ${COMPANIES} c on c.provider_id = o.provider_id and c.id = o.company_id join ${PROVIDERS} p on p.id = s.provider_id
        where s.provider_id = ${providerId} and s.id = ${sessionId} and s.ended_at is not null`,
  );
}
