import type { ProvedJobs } from '@keepwatch/contract/microsoft365/protection';
import { sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { organizationsWithin } from '../licensing/license-days.ts';
import { HAS_POINT } from '../repositories/counted-points.ts';

const OPEN_MAX = 5;

/** Counts jobs with a restore point by the last proof of the repository that each writes into, and names those whose proof is open. */
export async function readProofs(
  connection: Connection,
  scope: Scope,
  companyId: string | undefined,
): Promise<ProvedJobs> {
  const jobs = sql`from m365_jobs j join m365_organizations o on o.provider_id = j.provider_id and o.id = j.organization_id ${companyOf('o')}
    left join lateral (select p.ended_at, p.result, p.items, p.bytes from m365_proofs p where p.provider_id = j.provider_id and p.job_id = j.id
      and p.repository_id = j.repository_id and p.ended_at is not null
      order by p.started_at desc, p.id limit 1) l on true
    where j.provider_id = ${scope.providerId} and ${organizationsWithin(scope, companyId)} and ${HAS_POINT}`;
  const names = sql`j.id as "jobId", j.name as "jobName", o.name as "organizationName"`;
  const [counts, last, open] = await Promise.all([
    row<Omit<ProvedJobs, 'last' | 'open'>>(
      connection,
      sql`select count(*) as jobs, count(*) filter (where l.result = 'Success') as success, count(*) filter (where l.result = 'Warning') as warning,
          count(*) filter (where l.result = 'Failed') as failed, count(*) filter (where l.result is null) as never ${jobs}`,
    ),
    row<NonNullable<ProvedJobs['last']>>(
      connection,
      sql`select ${names}, l.ended_at as "endTime", l.result as status, l.items, l.bytes ${jobs} and l.result is not null order by l.ended_at desc, j.id limit 1`,
    ),
    rows<ProvedJobs['open'][number]>(
      connection,
      sql`select ${names}, l.result as status ${jobs} and l.result is distinct from 'Success'
          order by array_position(array['Failed', 'Warning'], l.result), lower(j.name), j.id limit ${OPEN_MAX}`,
    ),
  ]);
  return { jobs: 0, success: 0, warning: 0, failed: 0, never: 0, ...counts, last, open };
}
