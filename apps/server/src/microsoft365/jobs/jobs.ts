import type { NewJob } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { listM365Jobs, Microsoft365Job, Microsoft365JobDetail } from '@keepwatch/contract/microsoft365/jobs';
import type { OrderOf, SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../../audit/target-name.ts';
import { containing, every, orderOf } from '../../foundation/conditions.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { insert, remove, update } from '../../foundation/table-writes.ts';
import { m365Jobs } from '../tables.ts';
import { JOB_FIELDS, JOB_TABLES, type JobDetailRow, type JobRow, wireJobDetailOf, wireJobOf } from './job-row.ts';
import { nextRun } from './schedule.ts';

/** A job as tables name it. */
export interface JobKey {
  providerId: number;
  id: string;
}

/** Names a job in the users logs. */
export const nameOfM365Job: NameOfTarget = (scope, id) =>
  sql`select t.name from m365_jobs t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

export interface JobQuery {
  organizationIds?: readonly string[] | undefined;
  companyId?: string | undefined;
  search?: string | undefined;
  status?: readonly string[] | undefined;
  only?: 'never-run' | 'disabled' | undefined;
  ranOn?: string | undefined;
  sort?: OrderOf<typeof listM365Jobs> | undefined;
  limit: number;
  offset: number;
}

const SORTS: Readonly<Record<SortOf<typeof listM365Jobs>, SQL>> = {
  name: sql`lower(j.name)`,
  organizationName: sql`lower(o.name)`,
  nextRun: sql`case when j.is_enabled then j.next_run_at end`,
  lastRun: sql`l.started_at`,
};

/** Lists jobs with their last run, a page at a time. */
export async function listJobs(connection: Connection, scope: Scope, query: JobQuery): Promise<Page<Microsoft365Job>> {
  const where = conditions(scope, query);
  const page = await readPage<JobRow>(
    connection,
    sql`select ${JOB_FIELDS} from ${JOB_TABLES} where ${where} order by ${orderOf(SORTS, query.sort ?? 'name')}, j.id
        limit ${query.limit} offset ${query.offset}`,
    sql`select count(*) as count from ${JOB_TABLES} where ${where}`,
  );
  return { count: page.count, data: page.data.map(wireJobOf) };
}

function conditions(scope: Scope, { organizationIds, companyId, search, status, only, ranOn }: JobQuery): SQL {
  const found = [scope.narrowedTo(companyId === undefined ? undefined : [companyId]).rows('o')];
  if (organizationIds !== undefined) found.push(sql`j.organization_id = any(${sql.param(organizationIds)}::uuid[])`);
  if (ranOn !== undefined) found.push(hasRunOn(ranOn.slice(0, 10), status));
  else if (status !== undefined) found.push(sql`l.result = any(${sql.param(status)}::text[])`);
  if (only !== undefined) found.push(only === 'disabled' ? sql`not j.is_enabled` : sql`l.result is null`);
  if (search) {
    const pattern = containing(search);
    found.push(sql`(j.name ilike ${pattern} or o.name ilike ${pattern} or c.name ilike ${pattern})`);
  }
  return every(found);
}

/** A run of the job (alias `j`) began on a UTC day; with results, one that ended so. */
function hasRunOn(day: string, results: readonly string[] | undefined): SQL {
  const start = sql`${`${day}T00:00:00Z`}::timestamptz`;
  const result = results === undefined ? sql`true` : sql`s.result = any(${sql.param(results)}::text[])`;
  return sql`exists (select from m365_job_sessions s where s.provider_id = j.provider_id and s.job_id = j.id
    and s.started_at >= ${start} and s.started_at < ${start} + interval '24 hours' and ${result})`;
}

/** Reads a job with what it covers; `null` outside the scope, or of another organization than the given one. */
export async function findJob(
  connection: Connection,
  scope: Scope,
  id: string,
  organizationId?: string | undefined,
): Promise<Microsoft365JobDetail | null> {
  const ofOrganization = organizationId === undefined ? sql`true` : sql`j.organization_id = ${organizationId}`;
  const found = await row<JobDetailRow>(
    connection,
    sql`select ${JOB_FIELDS}, j.selected, j.excluded from ${JOB_TABLES} where ${scope.rows('o')} and j.id = ${id} and ${ofOrganization}`,
  );
  return found === null ? null : wireJobDetailOf(found);
}

/** Reads the jobs of an organization as they are stored, by name, or the one with an id. */
export function readJobRows(
  connection: Connection,
  { providerId, id: organizationId }: JobKey,
  jobId?: string,
): Promise<JobDetailRow[]> {
  const one = jobId === undefined ? sql`true` : sql`j.id = ${jobId}`;
  return rows(
    connection,
    sql`select ${JOB_FIELDS}, j.selected, j.excluded from ${JOB_TABLES}
        where j.provider_id = ${providerId} and j.organization_id = ${organizationId} and ${one} order by lower(j.name), j.id`,
  );
}

/** Inserts a job; its first run is due by its schedule. */
export async function insertJob(
  connection: Connection,
  key: JobKey,
  organizationId: string,
  job: NewJob,
  at: Date,
): Promise<void> {
  await insert(connection, m365Jobs, {
    ...key,
    organizationId,
    ...job,
    nextRunAt: nextRun(job.schedule, at),
    createdAt: at,
  });
}

const NEXT_VERSION = sql`version + 1`;

/** Changes a job, whose next run is due by its new schedule. */
export async function updateJob(connection: Connection, key: JobKey, job: NewJob, at: Date): Promise<void> {
  const changed = { ...job, nextRunAt: nextRun(job.schedule, at), attempts: 0, version: NEXT_VERSION };
  await update(connection, m365Jobs, changed, key);
}

export async function removeJob(connection: Connection, key: JobKey): Promise<void> {
  await remove(connection, m365Jobs, key);
}

/** Lets a job run by its schedule from now on, or no longer. */
export async function switchJob(connection: Connection, key: JobKey, isEnabled: boolean, at: Date): Promise<void> {
  const job = await row<{ schedule: NewJob['schedule'] }>(
    connection,
    sql`select j.schedule from m365_jobs j where j.provider_id = ${key.providerId} and j.id = ${key.id}`,
  );
  if (job === null) return;
  const changed = { isEnabled, nextRunAt: nextRun(job.schedule, at), attempts: 0, version: NEXT_VERSION };
  await update(connection, m365Jobs, changed, key);
}

/** The names of the jobs that run when a job has ended. */
export async function namesOfChained(connection: Connection, { providerId, id }: JobKey): Promise<string[]> {
  const found = await rows<{ name: string }>(
    connection,
    sql`select j.name from m365_jobs j where j.provider_id = ${providerId} and j.schedule->>'type' = 'Chained'
          and j.schedule->>'afterJobId' = ${id}::uuid::text order by lower(j.name)`,
  );
  return found.map(({ name }) => name);
}

/** The jobs that run after a job, and those after these: one of them cannot be what the job runs after. */
export async function jobsAfter(connection: Connection, { providerId, id }: JobKey): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: string }>(
    connection,
    sql`with recursive after (id) as (select ${id}::uuid union
          select j.id from m365_jobs j join after a on j.schedule->>'afterJobId' = a.id::text
          where j.provider_id = ${providerId} and j.schedule->>'type' = 'Chained')
        select id from after`,
  );
  return new Set(found.map((one) => one.id));
}
