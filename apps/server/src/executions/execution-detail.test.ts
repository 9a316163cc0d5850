import { getJobExecution, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { writeBaseline } from '../runs/baseline.ts';
import { type BuiltJob, buildCompany, buildExecution, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

const MISSING = '00000000-0000-8000-8000-000000000000';
let portal: TestPortal;
let reader: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.as('read-only');
});
afterAll(() => portal.stop());

const detailOf = async (id: string) => (await reader.call(getJobExecution, { params: { id } })).data;

describe('GET monitoring/backoffice/jobExecutions/{id}', () => {
  it('200: returns the run with its job, its company and its unchanged log', async () => {
    const job = await buildJob(portal.database, {
      name: 'Files <i>',
      companyId: await buildCompany(portal.database, { name: "O'Neill; --" }),
    });
    await execute(
      portal.database,
      sql`update jobs set target_name = 'Repository 1', schedule_type = 'Daily', next_run_at = ${daysAgo(-1)}, last_success_at = ${daysAgo(9)}
          where job_instance_uid = ${job.jobInstanceUid}`,
    );
    const message = '<img src=x onerror=alert(1)> "quoted" \\ \'; drop table jobs; -- ${x} ünï 漢字';
    const id = await buildExecution(portal.database, job, { startedAt: daysAgo(1), message });
    const log = [
      { at: daysAgo(1).toISOString(), level: 'error', text: message },
      { at: null, level: 'info', text: 'done' },
    ];
    await execute(
      portal.database,
      sql`insert into job_execution_logs (provider_id, started_at, execution_id, lines) values (1, ${daysAgo(1)}, ${id}, ${JSON.stringify(log)})`,
    );

    expect(await detailOf(id)).toMatchObject({
      _id: id,
      jobName: 'Files <i>',
      companyName: "O'Neill; --",
      source: 'vac',
      message,
      log,
      scheduleType: 'Daily',
      nextRunAt: daysAgo(-1).toISOString(),
      lastSuccessAt: daysAgo(9).toISOString(),
      targetName: 'Repository 1',
      note: null,
      notes: [],
      changedBy: null,
      changedAt: null,
      anomalyTexts: [],
      match: 'exact',
    });
  });

  it("200: returns the job's last 30 runs, oldest first, and no other job's", async () => {
    const job = await buildJob(portal.database);
    await buildExecution(portal.database, await buildJob(portal.database), { startedAt: daysAgo(2.5) });
    const ids: string[] = [];
    for (let day = 34; day >= 1; day -= 1)
      ids.push(await buildExecution(portal.database, job, { startedAt: daysAgo(day), durationMs: day * 1_000 }));
    const detail = await detailOf(ids.at(-1) ?? '');
    expect(detail.pastRuns.map((run) => run._id)).toEqual(ids.slice(-30));
    expect(detail.pastRuns[29]).toMatchObject({
      startedAt: daysAgo(1).toISOString(),
      result: 'Failed',
      durationMs: 1_000,
    });
  });

  it('200: returns the actual and the usual value of an anomaly', async () => {
    const job = await buildJob(portal.database);
    const known = Array.from({ length: 10 }, (_, index) => ({
      startedAtMs: daysAgo(20 - index).getTime(),
      durationMs: 600_000,
      transferredBytes: null,
      sizeBytes: null,
    }));
    await execute(
      portal.database,
      sql`update jobs set baseline = ${writeBaseline(known)} where job_instance_uid = ${job.jobInstanceUid}`,
    );
    const id = await buildExecution(portal.database, job, {
      result: 'Success',
      anomalies: ['duration'],
      durationMs: 7_200_000,
    });
    const { anomalyTexts, anomalies } = await detailOf(id);
    expect(anomalies).toEqual(['duration']);
    expect(anomalyTexts).toHaveLength(1);
    expect(anomalyTexts[0]).toMatch(/2 h.*usually 10 m/);
    const query = { filter: { jobInstanceUids: job.jobInstanceUid } };
    const [listed] = (await reader.call(listJobExecutions, { query })).data;
    expect(listed?.anomalyTexts, 'in the list too').toEqual(anomalyTexts);
    expect(listed).not.toHaveProperty('baseline');
  });

  it('404: refuses an unknown id and ids of another provider or company alike', async () => {
    const own = await buildJob(portal.database);
    const others: BuiltJob[] = [await buildJob(portal.database, { providerId: 2 }), await buildJob(portal.database)];
    const limited = await portal.as('read-only', { companyIds: [own.companyId ?? ''] });
    const ids = [MISSING, 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
    for (const job of others) ids.push(await buildExecution(portal.database, job));
    const replies = await Promise.all(
      ids.map(async (id) => {
        const response = await limited.send(getJobExecution, { params: { id } });
        const { requestId, ...reply } = await response.json();
        return { status: response.status, reply };
      }),
    );
    for (const reply of replies) expect(reply).toEqual({ ...replies[0], status: 404 });
  });

  it('422: refuses an invalid id', async () => {
    const response = await reader.raw('GET', "/api/monitoring/backoffice/jobExecutions/1' or '1'='1");
    expect(response.status).toBe(422);
  });
});
