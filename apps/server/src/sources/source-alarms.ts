import { sql } from 'drizzle-orm';
import { IS_ONE_JOB } from '../executions/shared-jobs.ts';
import { type Connection, row } from '../foundation/database.ts';
import type { Queue } from '../foundation/queue.ts';
import { clear, declareAlarm, raise } from '../notifications/alarms.ts';
import { STAFF } from '../notifications/channel.ts';
import { JOBS } from '../runs/jobs.ts';
import { SOURCES } from '../runs/source-horizon.ts';
import { sourceSubject, sourceSwitchedOff } from './source-events.ts';
import type { StoredSource } from './stored-source.ts';
import type { SyncReport } from './sync/sync-report.ts';
import { previousStatus, type SyncRun } from './sync-runs.ts';

const sourceUnreadable = declareAlarm({
  name: 'sources.unreadable',
  subject: sourceSubject,
  app: 'monitoring',
  severity: 'error',
  recipients: STAFF,
  text: ({ name, reason }: { name: string; reason: string }) => `The source "${name}" cannot be read: ${reason}`,
  clearedBy: [sourceSwitchedOff],
});

const jobsVanished = declareAlarm({
  name: 'sources.jobs-vanished',
  subject: sourceSubject,
  app: 'monitoring',
  severity: 'warning',
  recipients: STAFF,
  text: ({ name, gone }: { name: string; gone: number }) =>
    `${gone} jobs have disappeared from source "${name}" and are no longer monitored. If they were not deleted there, check the permissions of the account this portal uses.`,
});

export const sourceAlarms = [sourceUnreadable, jobsVanished];

/**
 * Raises and clears the alarms of a source at the end of a sync, in the transaction that records this end. Does nothing for a
 * source that was removed or switched off meanwhile: no later sync would clear them.
 */
export async function updateSourceAlarms(
  queue: Queue,
  connection: Connection,
  source: StoredSource,
  run: SyncRun,
  report: SyncReport,
): Promise<void> {
  if (!(await isStillRead(connection, source))) return;
  const reason = await failureToReport(connection, run, report);
  if (reason !== null) await raise(queue, connection, sourceUnreadable, source, { name: source.name, reason });
  else if (report.status !== 'FAILED') await clear(queue, connection, sourceUnreadable, source);
  const gone = await countVanished(connection, source, run.startedAt);
  if (gone > 0) await raise(queue, connection, jobsVanished, source, { name: source.name, gone });
  else await clear(queue, connection, jobsVanished, source);
}

/** Locks the source until the end of the transaction, so that it is removed or switched off before or after it. */
async function isStillRead(connection: Connection, { providerId, id }: StoredSource): Promise<boolean> {
  const found = await row(
    connection,
    sql`select from ${SOURCES} where provider_id = ${providerId} and id = ${id} and deleted_at is null and is_enabled for share`,
  );
  return found !== null;
}

/**
 * Returns why a source cannot be read: an error that a user has to fix at once, an unreachable console only at the second time, as
 * most recover soon.
 */
async function failureToReport(connection: Connection, run: SyncRun, report: SyncReport): Promise<string | null> {
  if (report.status !== 'FAILED') return null;
  const kind = report.end?.kind ?? null;
  const needsPerson = kind === 'wrong-credentials' || kind === 'not-allowed' || kind === 'wrong-version';
  if (!needsPerson && (await previousStatus(connection, run)) !== 'FAILED') return null;
  return report.end?.reason ?? report.failed[0]?.reason ?? 'Nothing of it could be read.';
}

/** Minimum number of vanished jobs of a group, when fewer are left than have gone. Users rarely remove so many at once. */
const REPORTED_FROM = 10;
const LATELY_DAYS = 7;

/**
 * Counts the jobs of groups of which most have left a source within the last days. A console does not list what its account may no
 * longer see, and reports no error, so without an alarm all failures would disappear from the lists unnoticed.
 */
async function countVanished(connection: Connection, { providerId, id }: StoredSource, now: Date): Promise<number> {
  const found = await row<{ gone: number }>(
    connection,
    sql`select coalesce(sum(g.gone), 0) as gone from (
          select count(*) filter (where j.removed_at > ${now}::timestamptz - make_interval(days => ${LATELY_DAYS})) as gone,
            count(*) filter (where j.removed_at is null) as left
          from ${JOBS} j where j.provider_id = ${providerId} and j.source_id = ${id} and ${IS_ONE_JOB} group by j.source_group) g
        where g.gone >= ${REPORTED_FROM} and g.gone > g.left`,
  );
  return Number(found?.gone ?? 0);
}
