import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { findExecutionDetail } from '../../executions/execution-detail.ts';
import { execute, rows } from '../../foundation/database.ts';
import { Scope } from '../../foundation/scope.ts';
import { newId } from '../../foundation/secrets.ts';
import { findMissedRuns } from '../../schedules/missed-runs.ts';
import { planSessions } from '../sessions/plan-sessions.ts';
import { askToStop } from '../sessions/sessions.ts';
import { WorkerBed } from '../sessions/testing/worker-bed.ts';
import { reportAllJobs } from './report-jobs.ts';

const bed = new WorkerBed();
const EVERYTHING = new Scope(1, null);
const DAY_MS = 24 * 3_600_000;

interface Shown {
  id: string;
  result: string;
  state: string;
  group: string;
  companyId: string;
}

const shownOf = (jobId: string) =>
  rows<Shown>(
    bed.database.pool,
    sql`select e.id, e.result, e.state, e.source_group as "group", e.company_id as "companyId" from job_executions e
        where e.provider_id = 1 and e.job_instance_uid = ${jobId} order by e.started_at`,
  );

const report = (at = new Date()) => reportAllJobs(bed.database.pool, at, new AbortController().signal);

describe('Monitoring', () => {
  it('shows a run as running, then as it ended, with its amounts, log, job and repository', async () => {
    const { buildJob, organization } = await bed.place(['exchange']);
    const jobId = await buildJob({ ...bed.ofPeople(2), name: 'Mail of two' });
    await bed.worker(bed.slowTenant);
    const session = await bed.begin(jobId);
    await bed.isReading(session);
    const running = { result: 'Running', state: 'pending', group: 'office365', companyId: organization.companyId };
    expect(await shownOf(jobId)).toMatchObject([running]);
    await bed.ended(session);
    const ended = await shownOf(jobId);
    expect(ended).toMatchObject([{ result: 'Success', state: 'resolved', group: 'office365' }]);
    const detail = await findExecutionDetail(bed.database.pool, EVERYTHING, ended[0]?.id ?? '', newId());
    expect(detail).toMatchObject({
      jobName: 'Mail of two',
      source: 'microsoft365',
      jobType: 'Microsoft 365 backup',
      serverName: 'worker',
      targetName: 'Nightly',
      anomalies: [],
      scheduleType: 'Daily',
    });
    expect(detail?.log.map(({ text }) => text)).toContain('Worker worker begins the run.');
    const { progress } = await bed.seen(session);
    expect(detail?.processedFiles).toBe(progress.itemsRead);
  });

  it('shows a run that was stopped as a Warning that waits for a person', async () => {
    const { buildJob } = await bed.place(['exchange']);
    const jobId = await buildJob(bed.ofPeople(2));
    await bed.worker(bed.slowTenant);
    const session = await bed.begin(jobId);
    await bed.isReading(session);
    await askToStop(bed.database.pool, { providerId: 1, id: jobId }, new Date());
    await bed.ended(session);
    expect(await shownOf(jobId)).toMatchObject([{ result: 'Warning', state: 'pending' }]);
  });

  it('shows a run that could not begin as Failed, with its reason', async () => {
    const { buildJob, remove } = await bed.place(['exchange']);
    await remove();
    const jobId = await buildJob({ schedule: { retries: 0 } });
    await bed.worker();
    const session = await bed.begin(jobId);
    await bed.ended(session);
    const [failed] = await shownOf(jobId);
    expect(failed).toMatchObject({ result: 'Failed', state: 'pending' });
    const detail = await findExecutionDetail(bed.database.pool, EVERYTHING, failed?.id ?? '', newId());
    expect(detail?.message).toBe((await bed.seen(session)).message);
  });

  it('does not show an end that was not stored', async () => {
    const { buildJob } = await bed.place(['exchange']);
    const jobId = await buildJob(bed.ofPeople(2));
    await execute(
      bed.database.pool,
      sql`create function refuse_event() returns trigger language plpgsql as 'begin raise exception ''no event today''; end'`,
    );
    await execute(
      bed.database.pool,
      sql`create trigger refuse_event before insert on outbox for each row execute function refuse_event()`,
    );
    await bed.worker();
    const session = await bed.begin(jobId);
    const begun = async () => (await bed.logOf(session)).filter(({ text }) => /^Worker worker /.test(text)).length;
    await expect.poll(begun).toBe(2);
    expect(await shownOf(jobId)).toMatchObject([{ result: 'Running' }]);
    await execute(bed.database.pool, sql`drop function refuse_event() cascade`);
    await bed.ended(session);
    expect(await shownOf(jobId)).toMatchObject([{ result: 'Success' }]);
  });

  it('shows a run that was due and never began as missed, also while it waits for a worker that does not come', async () => {
    const { buildJob } = await bed.place(['exchange']);
    const due = new Date(Date.now() - DAY_MS);
    const jobId = await buildJob({ nextRunAt: due });
    await report(new Date(due.getTime() - 60_000));
    await planSessions(bed.database.pool, due);
    await report(new Date(due.getTime() + 60_000));
    expect(await findMissedRuns(bed.database.pool, new Date(due.getTime() + 3_600_000))).toBe(0);
    expect(await findMissedRuns(bed.database.pool, new Date())).toBe(1);
    expect(await shownOf(jobId)).toMatchObject([{ result: 'DidntRun', state: 'pending', group: 'office365' }]);
  });

  it('expects no run of a job that is disabled, and none of one that was deleted', async () => {
    const { buildJob } = await bed.place(['exchange']);
    const due = new Date(Date.now() - DAY_MS);
    const disabled = await buildJob({ nextRunAt: due, isEnabled: false });
    const deleted = await buildJob({ nextRunAt: due });
    await report(new Date(due.getTime() - 60_000));
    await execute(bed.database.pool, sql`delete from m365_jobs where id = ${deleted}`);
    await report(new Date(due.getTime() - 30_000));
    expect(await findMissedRuns(bed.database.pool, new Date())).toBe(0);
    const jobs = await rows(
      bed.database.pool,
      sql`select job_instance_uid as id, removed_at is not null as "isRemoved" from jobs
          where job_instance_uid in (${disabled}, ${deleted}) order by 2`,
    );
    expect(jobs).toEqual([
      { id: disabled, isRemoved: false },
      { id: deleted, isRemoved: true },
    ]);
  });
});
