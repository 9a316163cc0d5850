import { expect, test } from 'vitest';
import { processorMs } from '../testing/processor-time.ts';
import { lastAttempt } from '../world/history.ts';
import type { ServerJob } from '../world/job.ts';
import { attemptsOf } from '../world/runs.ts';
import { isEnabled } from '../world/trouble.ts';
import { buildWorld } from '../world/world.ts';
import { toFileShareObject } from './file-share-jobs.ts';
import { toServerAgentJob } from './server-agent-jobs.ts';
import { toServerJob } from './server-jobs.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const { serverJobs } = buildWorld(1, 60);

/** A job of a kind, and an instant in the middle of a run of it. */
function duringRun(matches: (job: ServerJob) => boolean): { job: ServerJob; middleMs: number } {
  for (const job of serverJobs.filter(matches)) {
    const last = lastAttempt(job, now);
    if (last && last.endMs - last.startMs > 60_000) return { job, middleMs: (last.startMs + last.endMs) / 2 };
  }
  throw new Error('No job of this kind has run');
}

function ended(result: 'Success' | 'Warning' | 'Failed', matches: (job: ServerJob) => boolean): ServerJob {
  const job = serverJobs.find((entry) => {
    const last = lastAttempt(entry, now);
    return matches(entry) && last !== undefined && last.endMs <= now && last.result === result;
  });
  if (!job) throw new Error(`No job of this kind ended with ${result}`);
  return job;
}

test('a running job has a start, and neither end nor duration nor message', () => {
  const { job, middleMs } = duringRun((entry) => entry.type === 'BackupVm');
  expect(toServerJob(job, middleMs)).toMatchObject({
    status: 'Running',
    lastRun: expect.any(String),
    lastEndTime: null,
    lastDuration: null,
    transferredData: null,
    failureMessage: null,
  });
  const statuses = toServerJob(job, middleMs).lastSessionTasks.map((task) => task.status);
  expect(statuses).toEqual(['Running', ...statuses.slice(1).map(() => 'Pending')]);
});

test('a failed job reports the reason and the machine', () => {
  const job = ended('Failed', (entry) => entry.type === 'BackupVm');
  const wire = toServerJob(job, now);
  expect(wire).toMatchObject({ status: 'Failed', failureMessage: expect.any(String) });
  const failed = wire.lastSessionTasks.filter((task) => task.status === 'Failed');
  expect(failed).toHaveLength(1);
  expect(failed[0]?.failureMessages).toEqual([wire.failureMessage]);
});

test('end less start is the duration', () => {
  const wire = toServerJob(
    ended('Success', (job) => job.type === 'BackupCopy'),
    now,
  );
  const between = Date.parse(wire.lastEndTime ?? '') - Date.parse(wire.lastRun ?? '');
  expect(between).toBe((wire.lastDuration ?? 0) * 1000);
});

test('a job that never ran has no figures at all', () => {
  const job = serverJobs.find((entry) => entry.character === 'never-ran');
  if (!job) throw new Error('Every job has run');
  expect(toServerJob(job, now)).toMatchObject({
    status: 'None',
    lastRun: null,
    lastEndTime: null,
    lastDuration: null,
    avgDuration: null,
    transferredData: null,
    lastSessionTasks: [],
  });
});

test('a job that was switched off says so and keeps its last run', () => {
  const job = serverJobs.find((entry) => !isEnabled(entry, now) && lastAttempt(entry, now));
  if (!job) throw new Error('No job is switched off');
  expect(toServerJob(job, now)).toMatchObject({ isEnabled: false, lastRun: expect.any(String) });
});

test('between a failed attempt and the next one a job is shown as failed, and as running during the next one', () => {
  const job = serverJobs.find((entry) => {
    const last = lastAttempt(entry, now);
    return last !== undefined && last.number > 0;
  });
  const last = job && lastAttempt(job, now);
  const first = job && last && attemptsOf(job, last.slot)[0];
  if (!job || !last || !first) throw new Error('No last run was retried');
  expect(toServerJob(job, first.endMs + 1000)).toMatchObject({ status: 'Failed' });
  expect(toServerJob(job, last.startMs + 1)).toMatchObject({ status: 'Running' });
});

test('jobs on shared servers are mapped to their company, those on its own belong to it', () => {
  for (const job of serverJobs) {
    const wire = toServerJob(job, now);
    expect(wire.mappedOrganizationUid ?? wire.organizationUid).toBe(job.organizationUid);
  }
});

test('of the computers of an agent job one has failed where the job has', () => {
  const job = ended('Failed', (entry) => entry.type === 'AgentBackupJob' || entry.type === 'AgentPolicy');
  const wire = toServerAgentJob(job, false, now);
  expect(wire.successJobsCount).toBe(wire.totalJobsCount - 1);
});

test('a file share reports its figures in files after a run, and none during it', () => {
  const done = toFileShareObject(
    ended('Success', (job) => job.type === 'BackupFile'),
    now,
  ).lastSession;
  expect(done.backupStatus).toBe('Success');
  expect(done.backedUpFilesCount).toBe(done.changedFilesCount);
  expect(done.messages).toEqual([]);
  const { job, middleMs } = duringRun((entry) => entry.type === 'BackupFile');
  expect(toFileShareObject(job, middleMs).lastSession).toMatchObject({ backupStatus: 'Running', duration: null });
});

test('a page of 500 jobs is made with a few tens of milliseconds of work', async () => {
  const page = () => JSON.stringify(serverJobs.slice(0, 500).map((job) => toServerJob(job, now)));
  const times: number[] = [];
  for (let time = 0; time < 5; time += 1) times.push(await processorMs(page));
  expect(Math.min(...times)).toBeLessThan(80);
});
