import { SESSION_LOG_DAYS } from '@keepwatch/contract/microsoft365/jobs';
import { type SQL, sql } from 'drizzle-orm';
import { execute, type Pool, rows, transaction } from '../foundation/database.ts';
import { inBatches } from '../foundation/in-batches.ts';

/** For how many days runs are retained, and how many of each job are however old they are: decision 54. */
const SESSION_DAYS = 800;
const SESSIONS_SHOWN = 61;
/** The same of verifies, prunes and proofs. */
const REPORT_DAYS = 400;
const REPORTS_SHOWN = 20;
/** Of one transaction. */
const SESSIONS_AT_ONCE = 100;
const ROWS_AT_ONCE = 5_000;
const DAY_MS = 86_400_000;

/** Removes what is over: codes that have ended, and logs, runs and reports that are older than they are retained. */
export async function tidyMicrosoft365(database: Pool, now: Date, signal: AbortSignal): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await execute(database, sql`delete from m365_device_codes c where c.expires_at < ${before(1)}`);
  await inBatches(signal, () => removeLogs(database, before(SESSION_LOG_DAYS)));
  await inBatches(signal, () => removeOld(database, SESSIONS, before(SESSION_DAYS)));
  await inBatches(signal, () => removeOld(database, MAINTENANCE_RUNS, before(REPORT_DAYS)));
  await inBatches(signal, () => removeOld(database, PROOFS, before(REPORT_DAYS)));
}

/** @returns how many runs it looked at: one with a long log comes again */
function removeLogs(database: Pool, before: Date): Promise<number> {
  return transaction(database, async (connection) => {
    const due = await rows<{ providerId: number; id: string }>(
      connection,
      sql`select s.provider_id as "providerId", s.id from m365_job_sessions s where s.has_log and s.ended_at < ${before}
          order by s.ended_at limit ${SESSIONS_AT_ONCE}`,
    );
    const ofDue = sql`unnest(${sql.param(due.map(({ providerId }) => providerId))}::int[], ${sql.param(due.map(({ id }) => id))}::uuid[]) as d (provider_id, id)`;
    const removed = await execute(
      connection,
      sql`delete from m365_session_log g using (
            select l.provider_id, l.session_id, l.line from ${ofDue} join m365_session_log l on l.provider_id = d.provider_id and l.session_id = d.id
            limit ${ROWS_AT_ONCE}) gone
          where g.provider_id = gone.provider_id and g.session_id = gone.session_id and g.line = gone.line`,
    );
    if (removed < ROWS_AT_ONCE)
      await execute(
        connection,
        sql`update m365_job_sessions s set has_log = false from ${ofDue} where s.provider_id = d.provider_id and s.id = d.id`,
      );
    return due.length;
  });
}

/** Records of something, of which those that its screen shows stay however old they are. */
interface Records {
  table: SQL;
  owners: SQL;
  /** The column that names the owner. */
  owner: SQL;
  shown: number;
  /** Whether a record (alias `o`) is needed no longer but for being looked at. */
  isOver: SQL;
}

const SESSIONS: Records = {
  table: sql`m365_job_sessions`,
  owners: sql`m365_jobs`,
  owner: sql`job_id`,
  shown: SESSIONS_SHOWN,
  // The licences of its users would be lost.
  isOver: sql`o.ended_at is not null and (o.restore_point is null or o.count_users_at = 'infinity')`,
};

const REPORTS = { shown: REPORTS_SHOWN, isOver: sql`o.ended_at is not null` };
const MAINTENANCE_RUNS: Records = {
  table: sql`m365_maintenance_runs`,
  owners: sql`m365_repositories`,
  owner: sql`repository_id`,
  ...REPORTS,
};
const PROOFS: Records = { table: sql`m365_proofs`, owners: sql`m365_jobs`, owner: sql`job_id`, ...REPORTS };

/** Removes records that began before a time. Each owner's are one range of the index by which its screen lists them. */
function removeOld(database: Pool, { table, owners, owner, shown, isOver }: Records, before: Date): Promise<number> {
  return execute(
    database,
    sql`delete from ${table} r using (
          select o.provider_id, o.id from ${owners} w
            cross join lateral (select n.started_at from ${table} n where n.provider_id = w.provider_id and n.${owner} = w.id
              order by n.started_at desc offset ${shown - 1} limit 1) last
            cross join lateral (select o.provider_id, o.id from ${table} o where o.provider_id = w.provider_id and o.${owner} = w.id
              and o.started_at < last.started_at and o.started_at < ${before} and ${isOver} limit ${ROWS_AT_ONCE}) o
          limit ${ROWS_AT_ONCE}) gone
        where r.provider_id = gone.provider_id and r.id = gone.id`,
  );
}
