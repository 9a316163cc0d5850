import type { getHistoryChart } from '@keepwatch/contract/insights/insights';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { type BuiltJob, buildSource } from './builders.ts';
import { TEST_NOW } from './test-portal.ts';

const DAY_MS = 86_400_000;

/** The instant so many days before a test's now. */
export function daysAgo(days: number): Date {
  return new Date(TEST_NOW.getTime() - days * DAY_MS);
}

/** The UTC day of it. */
export function dayAgo(days: number): string {
  return daysAgo(days).toISOString().slice(0, 10);
}

/** A range of reports that ends now. */
export function lastDays(days: number): Pick<NonNullable<CallRequest<typeof getHistoryChart>['query']>, 'from' | 'to'> {
  return { from: daysAgo(days).toISOString(), to: TEST_NOW.toISOString() };
}

export interface DayFigures {
  success?: number;
  warning?: number;
  failed?: number;
  running?: number;
  didntRun?: number;
  anomalies?: number;
  /** Runs that did not report their bytes. */
  unmeasured?: number;
  transferredBytes?: number;
  durationMsMax?: number;
}

/** What the intake stores of a job's day: its own row, and its share in those of company and provider. */
export async function buildDay(connection: Connection, job: BuiltJob, day: string, given: DayFigures): Promise<void> {
  const counts = sql`${given.success ?? 0}, ${given.warning ?? 0}, ${given.failed ?? 0}, ${given.running ?? 0}, ${given.didntRun ?? 0},
    ${given.anomalies ?? 0}, ${given.unmeasured ?? 0}, ${given.transferredBytes ?? 0}`;
  await execute(
    connection,
    sql`insert into job_days (provider_id, day, job_instance_uid, company_id, source_group, success, warning, failed, running, didnt_run,
          anomalies, unmeasured, transferred_bytes, duration_ms_max)
        values (${job.providerId}, ${day}, ${job.jobInstanceUid}, ${job.companyId}, ${job.sourceGroup}, ${counts}, ${given.durationMsMax ?? 0})`,
  );
  await execute(
    connection,
    sql`insert into company_days as t (provider_id, day, company_id, source_group, success, warning, failed, running, didnt_run, anomalies,
          unmeasured, transferred_bytes)
        values (${job.providerId}, ${day}, ${job.companyId ?? '00000000-0000-0000-0000-000000000000'}, ${job.sourceGroup}, ${counts})
        on conflict (provider_id, day, company_id, source_group) do update set success = t.success + excluded.success,
          warning = t.warning + excluded.warning, failed = t.failed + excluded.failed, running = t.running + excluded.running,
          didnt_run = t.didnt_run + excluded.didnt_run, anomalies = t.anomalies + excluded.anomalies, unmeasured = t.unmeasured + excluded.unmeasured,
          transferred_bytes = t.transferred_bytes + excluded.transferred_bytes`,
  );
  await execute(
    connection,
    sql`insert into provider_days as t (provider_id, day, source_group, success, warning, failed, running, didnt_run, anomalies, unmeasured,
          transferred_bytes)
        values (${job.providerId}, ${day}, ${job.sourceGroup}, ${counts})
        on conflict (provider_id, day, source_group) do update set success = t.success + excluded.success,
          warning = t.warning + excluded.warning, failed = t.failed + excluded.failed, running = t.running + excluded.running,
          didnt_run = t.didnt_run + excluded.didnt_run, anomalies = t.anomalies + excluded.anomalies, unmeasured = t.unmeasured + excluded.unmeasured,
          transferred_bytes = t.transferred_bytes + excluded.transferred_bytes`,
  );
}

export interface BuiltRepository {
  providerId: number;
  id: string;
}

/** A repository; `null` for a capacity that is not known. */
export async function buildRepository(
  connection: Connection,
  given: {
    providerId?: number;
    companyId?: string | null;
    sourceId?: string;
    name?: string;
    capacityBytes?: number | null;
    usedBytes?: number;
    path?: string;
  } = {},
): Promise<BuiltRepository> {
  const providerId = given.providerId ?? 1;
  const id = newId();
  const capacity = given.capacityBytes === undefined ? 1_000 : given.capacityBytes;
  const used = given.usedBytes ?? 500;
  await execute(
    connection,
    sql`insert into repositories (provider_id, id, source_id, external_id, company_id, name, path, capacity_bytes, used_bytes, free_bytes, read_at)
        values (${providerId}, ${id}, ${given.sourceId ?? (await buildSource(connection, { providerId }))}, ${id}, ${given.companyId ?? null},
          ${given.name ?? 'Main repository'}, ${given.path ?? 'D:\\Backups'}, ${capacity}, ${used}, ${capacity === null ? null : capacity - used}, ${TEST_NOW})`,
  );
  return { providerId, id };
}

/** How much a repository held on a day. */
export async function buildRepositoryDay(
  connection: Connection,
  { providerId, id }: BuiltRepository,
  day: string,
  given: { capacityBytes?: number | null; usedBytes: number },
): Promise<void> {
  const capacity = given.capacityBytes === undefined ? 1_000 : given.capacityBytes;
  await execute(
    connection,
    sql`insert into repository_days (provider_id, repository_id, day, capacity_bytes, used_bytes, free_bytes)
        values (${providerId}, ${id}, ${day}, ${capacity}, ${given.usedBytes}, ${capacity === null ? null : capacity - given.usedBytes})`,
  );
}

/** A computer that discovery found; gives its id. */
export async function buildComputer(
  connection: Connection,
  given: {
    providerId?: number;
    companyId?: string | null;
    sourceId?: string;
    hostName?: string;
    status?: string;
    hasAgent?: boolean;
    ignoredAt?: Date | null;
    note?: string | null;
  } = {},
): Promise<string> {
  const providerId = given.providerId ?? 1;
  const id = newId();
  await execute(
    connection,
    sql`insert into computers (provider_id, id, source_id, external_id, company_id, host_name, fqdn, status, agent_installation_status,
          ignored_at, note)
        values (${providerId}, ${id}, ${given.sourceId ?? (await buildSource(connection, { providerId }))}, ${id}, ${given.companyId ?? null},
          ${given.hostName ?? 'PC-1'}, ${`${given.hostName ?? 'PC-1'}.local`}, ${given.status ?? 'Online'},
          ${given.hasAgent === false ? 'NotInstalled' : 'Installed'}, ${given.ignoredAt ?? null}, ${given.note ?? null})`,
  );
  return id;
}
