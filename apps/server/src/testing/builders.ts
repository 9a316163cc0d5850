import type { DataSourceGroup, Result, State } from '@keepwatch/contract/runs/values';
import { sql } from 'drizzle-orm';
import { linkCompanies } from '../connections/company-links.ts';
import { insertConnection } from '../connections/connections.ts';
import { CONSOLE_PORT } from '../connections/managed-ports.ts';
import { type Connection, execute } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { executionId } from '../runs/execution-id.ts';
import { TEST_NOW } from './test-portal.ts';

/** Small builders: rows with sensible defaults, overriding only what a test is about. */

export async function buildCompany(
  connection: Connection,
  given: { providerId?: number; name?: string; vacId?: string; connectionId?: string } = {},
): Promise<string> {
  const id = newId();
  const providerId = given.providerId ?? 1;
  await execute(
    connection,
    sql`insert into companies (provider_id, id, name) values (${providerId}, ${id}, ${given.name ?? 'Acme'})`,
  );
  if (given.vacId !== undefined) {
    const connectionId = given.connectionId ?? (await buildConnection(connection, { providerId }));
    await linkCompanies(connection, { providerId, id: connectionId }, [{ externalId: given.vacId, companyId: id }]);
  }
  return id;
}

/** A connection without secrets that was never used. */
export async function buildConnection(
  connection: Connection,
  given: { providerId?: number; id?: string; port?: string; kind?: string; isEnabled?: boolean } = {},
): Promise<string> {
  const id = given.id ?? newId();
  const { providerId = 1, port = CONSOLE_PORT, kind = 'vac', isEnabled = true } = given;
  const stored = { providerId, id, port, kind, name: 'A console', isEnabled, settings: {}, secrets: null };
  await insertConnection(connection, stored, TEST_NOW);
  return id;
}

/** A console that was read up to now. */
export async function buildSource(
  connection: Connection,
  given: { providerId?: number; kind?: string; historyReadTo?: Date | null } = {},
): Promise<string> {
  const id = newId();
  const readTo = given.historyReadTo === undefined ? TEST_NOW : given.historyReadTo;
  await execute(
    connection,
    sql`insert into sources (provider_id, id, kind, name, history_read_to)
        values (${given.providerId ?? 1}, ${id}, ${given.kind ?? 'vac'}, 'A console', ${readTo})`,
  );
  if (given.kind !== 'intake') await buildConnection(connection, { ...given, id });
  return id;
}

export interface BuiltJob {
  providerId: number;
  jobInstanceUid: string;
  companyId: string | null;
  sourceId: string;
  sourceGroup: DataSourceGroup;
}

export async function buildJob(
  connection: Connection,
  given: {
    providerId?: number;
    companyId?: string | null;
    sourceId?: string;
    name?: string;
    sourceGroup?: DataSourceGroup;
    isEnabled?: boolean;
    intervalMs?: number | null;
    overdueAt?: Date | null;
    lastResult?: Result | null;
    lastStartedAt?: Date | null;
  } = {},
): Promise<BuiltJob> {
  const providerId = given.providerId ?? 1;
  const job = {
    providerId,
    jobInstanceUid: newId(),
    companyId: given.companyId === undefined ? await buildCompany(connection, { providerId }) : given.companyId,
    sourceId: given.sourceId ?? (await buildSource(connection, { providerId })),
    sourceGroup: given.sourceGroup ?? 'managed-servers',
  } as const;
  // Half a day before it is overdue, as that of a daily job.
  const expectedAt = given.overdueAt == null ? null : new Date(given.overdueAt.getTime() - 12 * 3_600_000);
  // What is overdue has been found by the search for missed runs.
  const missedAt = given.overdueAt == null || given.overdueAt >= TEST_NOW ? null : expectedAt;
  await execute(
    connection,
    sql`insert into jobs (provider_id, job_instance_uid, source_id, external_id, source_group, name, company_id, is_enabled, interval_ms,
          expected_at, overdue_at, last_missed_at, last_result, last_started_at)
        values (${providerId}, ${job.jobInstanceUid}, ${job.sourceId}, ${job.jobInstanceUid}, ${job.sourceGroup}, ${given.name ?? 'Nightly backup'},
          ${job.companyId}, ${given.isEnabled ?? true}, ${given.intervalMs ?? null}, ${expectedAt}, ${given.overdueAt ?? null}, ${missedAt}, ${given.lastResult ?? null},
          ${given.lastStartedAt ?? null})`,
  );
  return job;
}

/** Inserts an execution as a row; gives its id. Writes no rollups, as only the intake does that. */
export async function buildExecution(
  connection: Connection,
  job: BuiltJob,
  given: {
    startedAt?: Date;
    result?: Result;
    state?: State;
    message?: string | null;
    anomalies?: readonly string[];
    durationMs?: number;
    transferredBytes?: number;
  } = {},
): Promise<string> {
  const startedAt = given.startedAt ?? new Date(TEST_NOW.getTime() - 3_600_000);
  const id = executionId(job.providerId, job.jobInstanceUid, startedAt);
  const result = given.result ?? 'Failed';
  const durationMs = given.durationMs ?? 600_000;
  await execute(
    connection,
    sql`insert into job_executions (provider_id, started_at, id, job_instance_uid, company_id, ended_at, duration_ms, transferred_bytes,
          source_group, result, state, message, anomalies)
        values (${job.providerId}, ${startedAt}, ${id}, ${job.jobInstanceUid}, ${job.companyId}, ${new Date(startedAt.getTime() + durationMs)},
          ${durationMs}, ${given.transferredBytes ?? 1_000_000}, ${job.sourceGroup}, ${result},
          ${given.state ?? (result === 'Success' ? 'resolved' : 'pending')}, ${given.message ?? null}, ${sql.param(given.anomalies ?? [])}::text[])`,
  );
  return id;
}

/** A hint for the runs whose message contains these words; active, and for runs of every kind unless given. */
export async function buildHint(
  connection: Connection,
  given: { providerId?: number; title?: string; text?: string; words?: string } = {},
): Promise<string> {
  const id = newId();
  const { providerId = 1, title = 'A hint', text = 'What to do', words = 'timeout' } = given;
  await execute(
    connection,
    sql`insert into hints (provider_id, id, title, text, words, phrases, source_groups, job_types, is_active, updated_at)
        values (${providerId}, ${id}, ${title}, ${text}, ${words}, ${sql.param([words])}::text[], '{}', '{}', true, ${TEST_NOW})`,
  );
  return id;
}
