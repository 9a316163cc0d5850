import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';
import { uuidArray } from '../rows/column-arrays.ts';
import type { Cause } from './causes/cause.ts';
import type { FoundFault, Window } from './find-faults.ts';

/** A fault as it is stored. */
export interface StoredFault extends Omit<FoundFault, 'job' | 'message' | 'anomalies' | 'storedCause'> {
  jobInstanceUid: string;
  companyId: string | null;
  cause: Cause;
}

/** Deletes the stored faults that begin in a window and are none any more. */
export async function removeFaults(
  connection: Connection,
  providerId: number,
  windows: readonly Window[],
  found: readonly Pick<FoundFault, 'id'>[],
): Promise<void> {
  await execute(
    connection,
    sql`delete from faults f using json_to_recordset(${JSON.stringify(windows)}::json)
          as w ("jobInstanceUid" uuid, "fromAt" timestamptz, "toAt" timestamptz)
        where f.provider_id = ${providerId} and f.job_instance_uid = w."jobInstanceUid" and f.opened_at >= w."fromAt"
          and f.opened_at < coalesce(w."toAt", 'infinity') and not (f.id = any(${uuidArray(found.map(({ id }) => id))}))`,
  );
}

export async function upsertFaults(
  connection: Connection,
  providerId: number,
  faults: readonly StoredFault[],
): Promise<void> {
  if (faults.length === 0) return;
  const records = faults.map(({ cause, ...fault }) => ({ ...fault, ...cause }));
  await execute(
    connection,
    sql`insert into faults (provider_id, id, job_instance_uid, company_id, source_group, opened_at, fine_at, last_started_at, last_execution_id, runs,
          closed_at, kind, state, ignored_until, changed_by, changed_by_name, changed_at, cause_key, cause_why, cause_subject, is_noted, is_job_removed)
        select ${providerId}, k.id, k."jobInstanceUid", k."companyId", k."sourceGroup", k."openedAt", k."fineAt", k."lastStartedAt", k."lastExecutionId", k.runs,
          k."closedAt", k.kind, k.state, k."ignoredUntil", k."changedBy", k."changedByName", k."changedAt", k.key, k.why, k.subject,
          k."isNoted", k."isJobRemoved"
        from json_to_recordset(${JSON.stringify(records)}::json) as k (id uuid, "jobInstanceUid" uuid, "companyId" uuid, "sourceGroup" data_source_group,
          "openedAt" timestamptz, "fineAt" timestamptz, "lastStartedAt" timestamptz, "lastExecutionId" uuid, runs integer, "closedAt" timestamptz,
          kind text, state execution_state, "ignoredUntil" timestamptz, "changedBy" uuid, "changedByName" text, "changedAt" timestamptz,
          key text, why text, subject text, "isNoted" boolean, "isJobRemoved" boolean)
        on conflict (provider_id, id) do update set company_id = excluded.company_id, source_group = excluded.source_group,
          opened_at = excluded.opened_at, fine_at = excluded.fine_at, last_started_at = excluded.last_started_at,
          last_execution_id = excluded.last_execution_id, runs = excluded.runs, closed_at = excluded.closed_at, kind = excluded.kind,
          state = excluded.state, ignored_until = excluded.ignored_until, changed_by = excluded.changed_by,
          changed_by_name = excluded.changed_by_name, changed_at = excluded.changed_at, cause_key = excluded.cause_key,
          cause_why = excluded.cause_why, cause_subject = excluded.cause_subject, is_noted = excluded.is_noted,
          is_job_removed = excluded.is_job_removed`,
  );
}
