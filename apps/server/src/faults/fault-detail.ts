import { FAULT_RUNS_MAX, type Fault, type FaultRun, type getFault } from '@keepwatch/contract/faults/faults';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { type SQL, sql } from 'drizzle-orm';
import { findSolved } from '../executions/solved-before.ts';
import { type Connection, row, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { readNotes, type StoredNote } from '../runs/execution-notes.ts';
import { FAULTS, isNotFine } from '../runs/faults/faults.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { type FaultRow, faultOf, faultRowsQuery } from './fault-list.ts';

type FaultDetail = CallReply<typeof getFault>['data'];

interface Asking {
  id: string;
  callerId: string;
  now: Date;
}

/** Reads one fault with its runs and notes, and what solved its cause before; `null` if it is outside the caller's scope. */
export async function findFault(
  connection: Connection,
  scope: Scope,
  { id, callerId, now }: Asking,
): Promise<FaultDetail | null> {
  const chosen = sql`select f.* from ${FAULTS} f where ${scope.rows('f')} and f.id = ${id}`;
  const found = await row<FaultRow>(connection, faultRowsQuery(scope, chosen, now));
  if (found === null) return null;
  const fault = faultOf(found);
  const lastRuns = await rows<FaultRun & { notes: StoredNote[] | null }>(connection, runsQuery(scope, fault));
  const notes = lastRuns
    .flatMap((run) => run.notes ?? [])
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const run = { jobInstanceUid: fault.jobInstanceUid, startedAt: fault.lastStartedAt, cause: fault.cause };
  return {
    ...fault,
    lastRuns,
    notes: readNotes(notes, callerId),
    solved: await findSolved(connection, scope, run),
  };
}

/** The runs (alias `e`) of a fault within the caller's scope, by its job and times. */
export function runsOfFault(scope: Scope, jobInstanceUid: SQL, openedAt: SQL, lastStartedAt: SQL): SQL {
  return sql`${scope.rows('e')} and e.job_instance_uid = ${jobInstanceUid} and e.started_at >= ${openedAt} and e.started_at <= ${lastStartedAt}
    and ${isNotFine('e')}`;
}

function runsQuery(scope: Scope, { jobInstanceUid, openedAt, lastStartedAt }: Fault): SQL {
  const ofFault = runsOfFault(
    scope,
    sql`${jobInstanceUid}::uuid`,
    sql`${openedAt}::timestamptz`,
    sql`${lastStartedAt}::timestamptz`,
  );
  return sql`select e.id as "_id", e.started_at as "startedAt", e.result, e.state, e.message, e.anomalies, e.notes
    from ${JOB_EXECUTIONS} e where ${ofFault} order by e.started_at desc, e.id limit ${FAULT_RUNS_MAX}`;
}
