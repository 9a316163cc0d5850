import { buildFaults } from '@keepwatch/server/faults/build-faults';
import type { Pool } from '@keepwatch/server/foundation/database';
import { baselineOf, KNOWN_RUNS_MAX } from '@keepwatch/server/runs/baseline';

/** How many equal providers, companies of each and jobs of each company. */
export interface DatasetSize {
  providers: number;
  companies: number;
  jobs: number;
}

/** Ten providers: 5,000 companies and 100,000 jobs in all; the first one is measured. */
export const BENCH_SIZE: DatasetSize = { providers: 10, companies: 500, jobs: 20 };

/** A small installation, into which tools report by themselves. */
export const SMALL_SIZE: DatasetSize = { providers: 10, companies: 500, jobs: 1 };

/** Builds providers, companies, sources and jobs, each job with the state that a year of runs leaves. */
export async function buildJobs(pool: Pool, size: DatasetSize): Promise<void> {
  await pool.query(
    `insert into providers (id, name, domain) select n, 'Provider ' || n, 'p' || n || '.bench' from generate_series(1, $1) n`,
    [size.providers],
  );
  await pool.query(
    `insert into companies (provider_id, id, name)
     select p, md5('company ' || p || ' ' || c)::uuid, 'Company ' || p || '-' || lpad(c::text, 4, '0')
     from generate_series(1, $1) p, generate_series(1, $2) c`,
    [size.providers, size.companies],
  );
  await pool.query(
    `insert into sources (provider_id, id, kind, name, history_read_to) select p, md5('source ' || p)::uuid, 'vac', 'Console', now() from generate_series(1, $1) p`,
    [size.providers],
  );
  await pool.query(
    `insert into connections (provider_id, id, port, kind, name) select provider_id, id, 'backup-source', kind, name from sources`,
  );
  await pool.query(
    `insert into company_links (provider_id, connection_id, external_id, company_id)
     select c.provider_id, s.id, c.name, c.id from companies c join sources s on s.provider_id = c.provider_id`,
  );
  await pool.query(
    `insert into jobs (provider_id, job_instance_uid, source_id, external_id, source_group, name, company_id, job_type, is_enabled, schedule_type,
       interval_ms, server_name, target_name, backup_size_bytes, restore_point_count, baseline)
     select c.provider_id, md5('job ' || c.id || n)::uuid, md5('source ' || c.provider_id)::uuid, c.id || '/' || n,
       (enum_range(null::data_source_group))[1 + n % 6], 'Job ' || n || ' of ' || c.name, c.id, 'BackupVm', n % 40 <> 7, 'Daily', 86400000,
       'backup-' || n % 3, 'Repository ' || n % 4, 1e11 + n * 1e9, 30, ($2::text[])[1 + abs(hashtext(c.id::text || n)) % $3]::bytea
     from companies c, generate_series(1, $1) n`,
    [size.jobs, baselines(), BASELINES],
  );
  await pool.query('vacuum analyze companies, jobs, sources, connections, company_links');
}

/** Different enough that no page has the same one twice in a row. */
const BASELINES = 60;

/** Baselines of jobs after 30 runs, one a day: of about 10 minutes, 1 GB and 50 GB, as the runs of the intake are. */
function baselines(): string[] {
  const now = Date.now();
  return Array.from({ length: BASELINES }, (_, one) => {
    const runs = Array.from({ length: KNOWN_RUNS_MAX }, (_, run) => ({
      startedAtMs: now - (KNOWN_RUNS_MAX + 7 - run) * 86_400_000,
      durationMs: 600_000 + ((one * 7 + run * 13) % 60) * 1_000,
      transferredBytes: 1e9 + ((one + run * 17) % 30) * 1e7,
      sizeBytes: 5e10 + run * 1e7,
    }));
    return `\\x${baselineOf(runs).bytes.toString('hex')}`;
  });
}

const EXECUTIONS = `
  insert into job_executions (provider_id, started_at, id, job_instance_uid, company_id, ended_at, duration_ms, transferred_bytes, processed_bytes,
    size_bytes, source_group, result, state, anomalies, message)
  select j.provider_id, at, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '8' || substr(md5(j.job_instance_uid::text), 1, 3)
      || '8' || substr(md5(j.job_instance_uid::text), 4, 15))::uuid,
    j.job_instance_uid, j.company_id, at + make_interval(secs => 60 + r * 36), (60 + r * 36) * 1000, (r + 1) * 1e7, (r + 1) * 1e8,
    j.backup_size_bytes, j.source_group, result,
    case when result = 'Success' and r <> 50 then 'resolved' when at > now() - interval '2 days' or r % 20 = 0 then 'pending' else 'resolved' end::execution_state,
    case when r = 50 then array['duration'] else '{}'::text[] end,
    case when result = 'Success' then null else 'Processing of machine srv-' || r || ' ended with an error: the repository did not answer in time (code ' || r || ').' end
  from jobs j
  cross join lateral (select abs(hashtext(j.job_instance_uid::text || $1::text)) % 200 as r, abs(hashtext(j.job_instance_uid::text)) % 86400000 as ms) h
  cross join lateral (select date_trunc('milliseconds', $1::date + make_interval(secs => ms / 1000.0)) at time zone 'UTC' as at,
    (case when r < 6 then 'Failed' when r < 14 then 'Warning' when r < 15 then 'DidntRun' else 'Success' end)::execution_result as result) x`;

const JOB_DAYS = `
  insert into job_days (provider_id, day, job_instance_uid, company_id, source_group, success, warning, failed, didnt_run, anomalies, transferred_bytes, duration_ms_max)
  select provider_id, $1::date, job_instance_uid, company_id, source_group, (result = 'Success')::int, (result = 'Warning')::int, (result = 'Failed')::int,
    (result = 'DidntRun')::int, cardinality(anomalies), transferred_bytes, duration_ms
  from job_executions where started_at >= $1::date and started_at < $1::date + 1`;

const COMPANY_DAYS = `
  insert into company_days (provider_id, day, company_id, source_group, success, warning, failed, didnt_run, anomalies, transferred_bytes)
  select provider_id, day, company_id, source_group, sum(success), sum(warning), sum(failed), sum(didnt_run), sum(anomalies), sum(transferred_bytes)
  from job_days where day = $1::date group by 1, 2, 3, 4`;

const PROVIDER_DAYS = `
  insert into provider_days (provider_id, day, source_group, success, warning, failed, didnt_run, anomalies, transferred_bytes)
  select provider_id, day, source_group, sum(success), sum(warning), sum(failed), sum(didnt_run), sum(anomalies), sum(transferred_bytes)
  from company_days where day = $1::date group by 1, 2, 3`;

/** One execution a job for each of the days from `daysAgo.from` back to `daysAgo.to` (1 is yesterday), with their rollups. */
export async function buildDays(pool: Pool, daysAgo: { from: number; to: number }, today: Date): Promise<void> {
  for (let ago = daysAgo.from; ago <= daysAgo.to; ago += 1) {
    const day = new Date(today.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
    for (const statement of [EXECUTIONS, JOB_DAYS, COMPANY_DAYS, PROVIDER_DAYS]) await pool.query(statement, [day]);
  }
}

/** What the newest runs left in the jobs, and fill levels of repositories. Ends with fresh statistics, as autovacuum would in time. */
export async function finishDataset(pool: Pool, size: DatasetSize): Promise<void> {
  await pool.query(
    `update jobs j set last_execution_id = e.id, last_started_at = e.started_at, last_ended_at = e.ended_at, last_result = e.result,
       last_success_at = e.started_at, expected_at = e.started_at + case when abs(hashtext(j.job_instance_uid::text)) % 50 = 3 then interval '8 hours' else interval '48 hours' end,
       overdue_at = e.started_at + case when abs(hashtext(j.job_instance_uid::text)) % 50 = 3 then interval '20 hours' else interval '60 hours' end,
       last_missed_at = case when abs(hashtext(j.job_instance_uid::text)) % 50 = 3 then e.started_at + interval '8 hours' end
     from job_executions e
     where e.provider_id = j.provider_id and e.job_instance_uid = j.job_instance_uid and e.started_at > now() - interval '3 days' and e.started_at < now()`,
  );
  await pool.query(
    `insert into repositories (provider_id, id, source_id, external_id, name, capacity_bytes, free_bytes, used_bytes, read_at)
     select p, md5('repository ' || p || n)::uuid, md5('source ' || p)::uuid, n::text, 'Repository ' || n, 1e13, 1e13 * (n % 100) / 100, 1e13 * (100 - n % 100) / 100, now()
     from generate_series(1, $1) p, generate_series(1, 300) n on conflict do nothing`,
    [size.providers],
  );
  await pool.query(
    `insert into repository_days (provider_id, repository_id, day, capacity_bytes, free_bytes, used_bytes)
     select provider_id, id, current_date - d, capacity_bytes, free_bytes + d * 1e9, used_bytes - d * 1e9 from repositories, generate_series(0, 99) d on conflict do nothing`,
  );
  await findFaults(pool);
  await pool.query('vacuum analyze');
  // Else the database would still be writing all of it down while it is measured.
  await pool.query('checkpoint');
}

/** As after an upgrade from a version without faults: how long that takes is what a provider waits for the whole queue. */
async function findFaults(pool: Pool): Promise<void> {
  await pool.query('update jobs set are_faults_known = false');
  const begun = performance.now();
  const jobs = await buildFaults(pool, new AbortController().signal);
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from faults');
  const seconds = Math.round((performance.now() - begun) / 1_000);
  process.stdout.write(
    `${rows[0]?.count.toLocaleString('en')} faults of ${jobs.toLocaleString('en')} jobs found in ${seconds} s\n`,
  );
}
