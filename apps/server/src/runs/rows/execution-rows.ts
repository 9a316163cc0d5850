import type { Anomaly, DataSourceGroup, Result, State } from '@keepwatch/contract/runs/values';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import type { Attempt, StoredLine } from '../attempt.ts';
import { KNOWN_RUNS_MAX, type KnownRun } from '../baseline.ts';
import type { StoredNote } from '../execution-notes.ts';
import { type Attempts, lastAttempt } from '../retries.ts';
import type { RunSign } from '../run-signs.ts';
import { instantText, millisecondsOf, plainArray, uuidArray } from './column-arrays.ts';

/** The state and notes that a person, or a process on their behalf, gave an execution. */
export interface Work {
  state: State;
  ignoredUntil: string | null;
  /** The thread of notes as it is stored; `null` without any. */
  notes: readonly StoredNote[] | null;
  changedBy: string | null;
  changedByName: string | null;
  changedAt: string | null;
}

/** An execution as it is, or will be, stored. */
export interface Execution {
  id: string;
  jobInstanceUid: string;
  companyId: string | null;
  sourceGroup: DataSourceGroup;
  attempts: Attempts;
  anomalies: readonly Anomaly[];
  work: Work;
}

/** Whether a run is fine: it needs no attention, and ends the fault of its job. */
export function isFineRun(result: Result, anomalies: readonly Anomaly[]): boolean {
  return result === 'Success' && anomalies.length === 0;
}

/** The same of an execution, by its last attempt. */
export function isFineExecution({ attempts, anomalies }: Pick<Execution, 'attempts' | 'anomalies'>): boolean {
  return isFineRun(lastAttempt(attempts).result, anomalies);
}

/** Returns the initial state of an execution. */
export function firstState(result: Result, anomalies: readonly Anomaly[]): State {
  return isFineRun(result, anomalies) ? 'resolved' : 'pending';
}

interface StoredRow {
  id: string;
  job: string;
  company: string | null;
  grp: DataSourceGroup;
  start: number;
  end: number | null;
  result: Attempt['result'];
  duration: number | null;
  transferred: number | null;
  processed: number | null;
  files: number | null;
  size: number | null;
  message: string | null;
  doubtful: boolean;
  anomalies: Anomaly[];
  state: State;
  ignored: string | null;
  notes: StoredNote[] | null;
  by: string | null;
  byname: string | null;
  changed: string | null;
  lines: StoredLine[] | null;
  attempts: StoredAttempt[] | null;
}

/** An attempt as it is stored in `job_execution_logs.attempts`. */
export type StoredAttempt = Omit<Attempt, 'startedAtMs' | 'endedAtMs'> & { startedAt: string; endedAt: string | null };

export function storedAttempt({ startedAtMs, endedAtMs, ...rest }: Attempt): StoredAttempt {
  return {
    startedAt: new Date(startedAtMs).toISOString(),
    endedAt: endedAtMs === null ? null : new Date(endedAtMs).toISOString(),
    ...rest,
  };
}

function readAttempt({ startedAt, endedAt, ...rest }: StoredAttempt): Attempt {
  return { startedAtMs: Date.parse(startedAt), endedAtMs: endedAt === null ? null : Date.parse(endedAt), ...rest };
}

const COLUMNS = sql`e.id, e.job_instance_uid as job, e.company_id as company, e.source_group as grp, ${millisecondsOf('e.started_at')} as start,
  ${millisecondsOf('e.ended_at')} as end, e.result, e.duration_ms as duration, e.transferred_bytes as transferred, e.processed_bytes as processed,
  e.processed_files as files, e.size_bytes as size, e.message, e.is_doubtful as doubtful, e.anomalies, e.state, e.ignored_until as ignored,
  e.notes, e.changed_by as by, e.changed_by_name as byname, e.changed_at as changed, l.lines, l.attempts`;
/** "offset 0" makes this one index probe per row, also in tables that were never analysed, as during a first sync. */
const LOGS = sql`left join lateral (select g.lines, g.attempts from job_execution_logs g
  where g.provider_id = e.provider_id and g.started_at = e.started_at and g.execution_id = e.id offset 0) l on true`;

/** Reads the executions with these ids by their primary key. */
export async function readExecutions(
  connection: Connection,
  providerId: number,
  keys: readonly { id: string; startedAtMs: number }[],
): Promise<Map<string, Execution>> {
  if (keys.length === 0) return new Map();
  const found = await rows<StoredRow>(
    connection,
    sql`select ${COLUMNS}
        from unnest(${uuidArray(keys.map((key) => key.id))}, ${plainArray(
          keys.map((key) => instantText(key.startedAtMs)),
          'timestamptz',
        )}) as k (id, started_at)
        cross join lateral (select n.* from job_executions n
          where n.provider_id = ${providerId} and n.started_at = k.started_at and n.id = k.id offset 0) e ${LOGS}`,
  );
  return new Map(found.map((row) => [row.id, executionOf(row)]));
}

/** A job and the time for which its executions are read. */
export interface JobSpan {
  jobInstanceUid: string;
  fromMs: number;
  toMs: number;
}

/**
 * Reads the runs of each job in its span, the run before it, and all runs after it up to the 30th successful one: their
 * evaluation depends on runs of the span. In order, without missed runs.
 */
export async function readNeighbours(
  connection: Connection,
  providerId: number,
  spans: readonly JobSpan[],
): Promise<Map<string, Execution[]>> {
  if (spans.length === 0) return new Map();
  const ofJob = sql`n.provider_id = ${providerId} and n.job_instance_uid = k.job`;
  const found = await rows<StoredRow>(
    connection,
    sql`select ${COLUMNS} from (${spansOf(spans)}) k
        cross join lateral (select
          coalesce((select n.started_at from job_executions n where ${ofJob} and n.started_at < k.from_at and n.result <> 'DidntRun'
            order by n.started_at desc limit 1), k.from_at) as first,
          coalesce((select n.started_at from job_executions n where ${ofJob} and n.started_at > k.to_at and n.result = 'Success'
            order by n.started_at offset ${KNOWN_RUNS_MAX - 1} limit 1), 'infinity') as last) b
        cross join lateral (select n.* from job_executions n where ${ofJob} and n.result <> 'DidntRun'
          and n.started_at >= b.first and n.started_at <= b.last offset 0) e ${LOGS}
        order by e.started_at`,
  );
  return Map.groupBy(found.map(executionOf), (execution) => execution.jobInstanceUid);
}

/** Reads the last 30 successful runs of each job before an instant (the span's `fromMs`), oldest first. */
export async function readKnownRuns(
  connection: Connection,
  providerId: number,
  spans: readonly JobSpan[],
): Promise<Map<string, KnownRun[]>> {
  if (spans.length === 0) return new Map();
  const found = await rows<KnownRun & { job: string }>(
    connection,
    sql`select k.job, e.* from (${spansOf(spans)}) k
        cross join lateral (select ${millisecondsOf('n.started_at')} as "startedAtMs", n.duration_ms as "durationMs",
            n.transferred_bytes as "transferredBytes", n.size_bytes as "sizeBytes"
          from job_executions n where n.provider_id = ${providerId} and n.job_instance_uid = k.job and n.started_at < k.from_at
            and n.result = 'Success' order by n.started_at desc limit ${KNOWN_RUNS_MAX}) e
        order by "startedAtMs"`,
  );
  return Map.groupBy(found, (run) => run.job);
}

export function spansOf(spans: readonly JobSpan[]) {
  const instants = (of: (span: JobSpan) => number) =>
    plainArray(
      spans.map((span) => instantText(of(span))),
      'timestamptz',
    );
  const jobs = uuidArray(spans.map((span) => span.jobInstanceUid));
  return sql`select * from unnest(${jobs}, ${instants((span) => span.fromMs)}, ${instants((span) => span.toMs)}) as s (job, from_at, to_at)`;
}

function executionOf(row: StoredRow): Execution {
  return {
    id: row.id,
    jobInstanceUid: row.job,
    companyId: row.company,
    sourceGroup: row.grp,
    attempts: attemptsOf(row),
    anomalies: row.anomalies,
    work: {
      state: row.state,
      ignoredUntil: row.ignored,
      notes: row.notes,
      changedBy: row.by,
      changedByName: row.byname,
      changedAt: row.changed,
    },
  };
}

/** Several attempts are stored with the log; a single one is the row itself. */
function attemptsOf(row: StoredRow): Attempts {
  const [first, ...others] = (row.attempts ?? []).map(readAttempt);
  if (first !== undefined) return [first, ...others];
  return [
    {
      startedAtMs: row.start,
      endedAtMs: row.end,
      result: row.result,
      durationMs: row.duration,
      transferredBytes: row.transferred,
      processedBytes: row.processed,
      processedFiles: row.files,
      sizeBytes: row.size,
      message: row.message,
      signs: row.anomalies.filter(isSign).sort(),
      isDoubtful: row.doubtful,
      log: row.lines ?? [],
    },
  ];
}

export function isSign(anomaly: Anomaly): anomaly is RunSign {
  return anomaly === 'no-restore-point' || anomaly === 'contradiction';
}
