import type { JobSchedule } from '@keepwatch/connectors/ports/microsoft365-engine';
import { sql } from 'drizzle-orm';
import { type Pool, rows, transaction } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { update } from '../../foundation/table-writes.ts';
import { isOfWorkers } from '../engine/work-of-workers.ts';
import type { JobKey } from '../jobs/jobs.ts';
import { isOpen, nextOpen, nextRun } from '../jobs/schedule.ts';
import { m365Jobs } from '../tables.ts';
import { makeSession } from './sessions.ts';

interface DueJob extends JobKey {
  schedule: JobSchedule;
}

/** Jobs of one transaction: a lock on a thousand jobs for long would stop people who edit them. */
const AT_ONCE = 100;

/** Makes a run of each job that is due and does not run. Any number of processes may do it at the same time. */
export async function planSessions(database: Pool, now: Date, signal?: AbortSignal): Promise<number> {
  let planned = 0;
  for (;;) {
    if (signal?.aborted) return planned;
    const count = await planSome(database, now);
    planned += count;
    if (count < AT_ONCE) return planned;
  }
}

function planSome(database: Pool, now: Date): Promise<number> {
  return transaction(database, async (connection) => {
    const due = await rows<DueJob>(
      connection,
      sql`select j.provider_id as "providerId", j.id, j.schedule from m365_jobs j
          where j.is_enabled and j.next_run_at <= ${now} and not exists (select from m365_job_sessions s
            where s.provider_id = j.provider_id and s.job_id = j.id and s.ended_at is null) and ${isOfWorkers('j')}
          order by j.next_run_at limit ${AT_ONCE} for update of j skip locked`,
    );
    for (const { schedule, ...key } of due) {
      // Late, another attempt, or after another job: it would be stopped at once outside of its window.
      const isNow = isOpen(schedule, now);
      if (isNow) await makeSession(connection, key, now);
      const nextRunAt = isNow ? nextRun(schedule, now) : nextOpen(schedule, now);
      await update(connection, m365Jobs, { nextRunAt }, key);
    }
    for (const providerId of new Set(due.map((job) => job.providerId)))
      await publish(connection, { name: 'm365-jobs.changed', providerId });
    return due.length;
  });
}
