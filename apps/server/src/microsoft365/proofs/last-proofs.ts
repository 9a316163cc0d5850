import { type SQL, sql } from 'drizzle-orm';

/** As replies write it: JSON of the database has another form. */
const instantOf = (at: SQL) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The last proof that ended of a job (alias `j`) in the repository that it writes into, as a summary. */
export const LAST_PROOF_OF_JOB: SQL = sql`(select json_build_object('endTime', ${instantOf(sql`p.ended_at`)}, 'status', p.result, 'items', p.items, 'bytes', p.bytes)
  from m365_proofs p where p.provider_id = j.provider_id and p.job_id = j.id and p.repository_id = j.repository_id and p.ended_at is not null
  order by p.started_at desc, p.id limit 1)`;

/** The last proofs of the jobs of an organization (alias `o`) together: as bad as the worst, and as old as the oldest that ended so. */
export const LAST_PROOF_OF_ORGANIZATION: SQL = sql`(select case when count(*) > 0 then json_build_object('endTime', ${instantOf(sql`min(l.ended_at) filter (where l.is_worst)`)},
    'status', min(l.result) filter (where l.is_worst), 'items', sum(l.items), 'bytes', sum(l.bytes), 'jobs', count(*)) end
  from (select p.*, p.rank = max(p.rank) over () as is_worst from m365_jobs j
    cross join lateral (select q.*, case q.result when 'Failed' then 2 when 'Warning' then 1 else 0 end as rank
      from m365_proofs q where q.provider_id = j.provider_id and q.job_id = j.id and q.repository_id = j.repository_id and q.ended_at is not null
      order by q.started_at desc, q.id limit 1) p
    where j.provider_id = o.provider_id and j.organization_id = o.id) l)`;
