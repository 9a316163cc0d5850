import { finished } from 'node:stream/promises';
import { getTableName, sql } from 'drizzle-orm';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Connection, execute } from '../foundation/database.ts';
import { boundedLog } from '../runs/execution-log.ts';
import { JOB_EXECUTION_LOGS, JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { lastAttempt } from '../runs/retries.ts';
import type { BinaryRows } from '../runs/rows/binary-rows.ts';
import { type Execution, storedAttempt } from '../runs/rows/execution-rows.ts';

const COPY = `copy ${getTableName(JOB_EXECUTIONS)} (provider_id, started_at, id, job_instance_uid, company_id, ended_at, duration_ms, transferred_bytes,
  processed_bytes, processed_files, size_bytes, source_group, result, state, attempts, is_doubtful, anomalies, message, ignored_until,
  notes, changed_by, changed_by_name, changed_at) from stdin with (format binary)`;

const COLUMNS = 23;

/** Adds a row for COPY as `insertExecutions` sends it. */
export function addRow(rows: BinaryRows, providerId: number, execution: Execution): void {
  const { id, jobInstanceUid, companyId, sourceGroup, attempts, anomalies, work } = execution;
  const last = lastAttempt(attempts);
  rows.begin(COLUMNS).int(providerId).instant(attempts[0].startedAtMs).uuid(id).uuid(jobInstanceUid).uuid(companyId);
  rows.instant(last.endedAtMs).bigint(last.durationMs).bigint(last.transferredBytes);
  rows.bigint(last.processedBytes).bigint(last.processedFiles).bigint(last.sizeBytes);
  rows.text(sourceGroup).text(last.result).text(work.state).smallint(attempts.length);
  rows.boolean(isDoubtful(execution)).texts(anomalies).text(last.message);
  rows
    .instant(work.ignoredUntil === null ? null : Date.parse(work.ignoredUntil))
    .json(work.notes)
    .uuid(work.changedBy)
    .text(work.changedByName)
    .instant(work.changedAt === null ? null : Date.parse(work.changedAt));
}

/** Inserts executions that do not exist yet; if one does, all of them fail on the primary key. */
export async function insertExecutions(connection: pg.PoolClient, rows: BinaryRows): Promise<void> {
  if (rows.count === 0) return;
  const copy = connection.query(copyFrom(COPY));
  copy.end(rows.finish());
  await finished(copy);
}

const HAS_ENDED = sql`(e.result = 'Running' and k.result <> 'Running')`;

/** A run is doubtful when one of its attempts is. */
function isDoubtful({ attempts }: Execution): boolean {
  return attempts.some((attempt) => attempt.isDoubtful);
}

/**
 * Writes changed executions. What a person changed meanwhile stays: state, notes and the rest of their work; of a run
 * that has just ended only the notes, see `workAfter`.
 */
export async function updateExecutions(
  connection: Connection,
  providerId: number,
  executions: readonly { before: Execution; after: Execution }[],
): Promise<void> {
  if (executions.length === 0) return;
  const records = executions.map(({ before, after }) => {
    const last = lastAttempt(after.attempts);
    return {
      id: after.id,
      started_at: new Date(after.attempts[0].startedAtMs).toISOString(),
      ended_at: last.endedAtMs === null ? null : new Date(last.endedAtMs).toISOString(),
      duration_ms: last.durationMs,
      transferred_bytes: last.transferredBytes,
      processed_bytes: last.processedBytes,
      processed_files: last.processedFiles,
      size_bytes: last.sizeBytes,
      result: last.result,
      state: after.work.state,
      state_before: before.work.state,
      attempts: after.attempts.length,
      is_doubtful: isDoubtful(after),
      anomalies: after.anomalies,
      message: last.message,
    };
  });
  await execute(
    connection,
    sql`update ${JOB_EXECUTIONS} e set ended_at = k.ended_at, duration_ms = k.duration_ms, transferred_bytes = k.transferred_bytes,
          processed_bytes = k.processed_bytes, processed_files = k.processed_files, size_bytes = k.size_bytes, result = k.result,
          state = case when ${HAS_ENDED} or (e.changed_by is null and e.state = k.state_before) then k.state else e.state end,
          ignored_until = case when ${HAS_ENDED} then null else e.ignored_until end,
          changed_by = case when ${HAS_ENDED} then null else e.changed_by end,
          changed_by_name = case when ${HAS_ENDED} then null else e.changed_by_name end,
          changed_at = case when ${HAS_ENDED} then null else e.changed_at end,
          attempts = k.attempts, is_doubtful = k.is_doubtful, anomalies = k.anomalies, message = k.message
        from json_to_recordset(${JSON.stringify(records)}::json) as k (id uuid, started_at timestamptz, ended_at timestamptz,
          duration_ms bigint, transferred_bytes bigint, processed_bytes bigint, processed_files bigint, size_bytes bigint,
          result execution_result, state execution_state, state_before execution_state, attempts smallint, is_doubtful boolean,
          anomalies text[], message text)
        where e.provider_id = ${providerId} and e.started_at = k.started_at and e.id = k.id`,
  );
}

/** Removes executions that turned out to be a later attempt of another one. */
export async function removeExecutions(
  connection: Connection,
  providerId: number,
  executions: readonly Execution[],
): Promise<void> {
  if (executions.length === 0) return;
  const ids = sql.param(executions.map((execution) => execution.id));
  const starts = sql.param(executions.map((execution) => new Date(execution.attempts[0].startedAtMs).toISOString()));
  const keys = sql`unnest(${ids}::uuid[], ${starts}::timestamptz[]) as k (id, started_at)`;
  await execute(
    connection,
    sql`delete from ${JOB_EXECUTIONS} e using ${keys}
        where e.provider_id = ${providerId} and e.started_at = k.started_at and e.id = k.id`,
  );
  await execute(
    connection,
    sql`delete from ${JOB_EXECUTION_LOGS} l using ${keys}
        where l.provider_id = ${providerId} and l.started_at = k.started_at and l.execution_id = k.id`,
  );
}

/**
 * Stores the log lines of executions, and their attempts where there are several. Most have neither and need no row.
 */
export async function writeLogs(
  connection: Connection,
  providerId: number,
  executions: readonly Execution[],
): Promise<void> {
  const reported = executions.filter(({ attempts }) => attempts.length > 1 || attempts[0].log.length > 0);
  if (reported.length === 0) return;
  const records = reported.map(({ id, attempts }) => ({
    id,
    started_at: new Date(attempts[0].startedAtMs).toISOString(),
    lines: boundedLog(attempts.flatMap((attempt) => attempt.log)),
    attempts: attempts.length > 1 ? attempts.map(storedAttempt) : [],
  }));
  await execute(
    connection,
    sql`insert into ${JOB_EXECUTION_LOGS} (provider_id, started_at, execution_id, lines, attempts)
        select ${providerId}, k.started_at, k.id, k.lines, k.attempts
        from json_to_recordset(${JSON.stringify(records)}::json) as k (id uuid, started_at timestamptz, lines jsonb, attempts jsonb)
        on conflict (provider_id, started_at, execution_id) do update set lines = excluded.lines, attempts = excluded.attempts`,
  );
}
