import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pool, transaction } from '@keepwatch/server/foundation/database';
import { ingestRuns } from '@keepwatch/server/ingest/ingest-runs';
import { executionId } from '@keepwatch/server/runs/execution-id';
import type { NewRun } from '@keepwatch/server/runs/new-run';
import { from as copyFrom } from 'pg-copy-streams';
import { printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { type Timing, timed, timingOf } from '../timing.ts';

const BATCH = 5_000;
const ROUNDS = 20;
/** Rounds that do not count. */
const WARM_UP = 2;
/** Longer than a run, and than the pause before a retry may be. */
const APART_MS = 30 * 60_000;
const SHARE_MIN = 0.3;
/** What syncs bring: at every few minutes one run of many jobs, after a pause or at first many runs of each. */
const RUNS_A_JOB = [1, 10];

interface Job {
  jobInstanceUid: string;
  companyId: string;
  sourceGroup: string;
}

/**
 * Measures new runs, 5,000 a batch as a sync brings them: through `ingestRuns` with everything it does (retries, anomalies, job
 * state, rollups, faults and their causes), and beside it, batch by batch in turn, rows of the same width copied bare into the same table with its indexes.
 */
export async function benchIntake(pool: Pool, targets: Targets): Promise<void> {
  const rows: string[][] = [];
  // After every run of the dataset.
  let startMs = Date.now();
  for (const runs of RUNS_A_JOB) {
    const [intake, copy] = await timeBatches(pool, runs, startMs);
    startMs += (ROUNDS + WARM_UP + 1) * runs * APART_MS;
    const rate = ({ medianMs }: Timing) => Math.round((BATCH * 1_000) / medianMs).toLocaleString('en');
    const share = copy.medianMs / intake.medianMs;
    const name = `${runs} ${runs === 1 ? 'run' : 'runs'} a job`;
    const verdict = targets.evaluated(`intake, ${name}: share of a bare COPY`, share.toFixed(2), share >= SHARE_MIN);
    rows.push([name, rate(intake), rate(copy), verdict]);
  }
  const heads = [`executions a second, ${BATCH} a batch`, 'intake', 'bare COPY', 'share'];
  printTable(`Target: at least ${SHARE_MIN} of a bare COPY into the same table`, heads, rows);
}

async function timeBatches(pool: Pool, runs: number, startMs: number): Promise<[Timing, Timing]> {
  const [ours, theirs] = [await jobsOf(pool, 1, BATCH / runs), await jobsOf(pool, 2, BATCH / runs)];
  const durations: [number[], number[]] = [[], []];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const atMs = startMs + (round + WARM_UP) * runs * APART_MS;
    const [intake, copied] = [batchOf(ours, runs, atMs), batchOf(theirs, runs, atMs)];
    const intakeMs = await timed(() => ingest(pool, intake));
    const copyMs = await timed(() => copy(pool, copied));
    if (round < 0) continue;
    durations[0].push(intakeMs);
    durations[1].push(copyMs);
  }
  return [timingOf(durations[0]), timingOf(durations[1])];
}

interface Run {
  job: Job;
  execution: NewRun;
}

function batchOf(jobs: readonly Job[], runs: number, startMs: number): Run[] {
  return Array.from({ length: runs }, (_, run) => new Date(startMs + run * APART_MS)).flatMap((startedAt) =>
    jobs.map((job, at) => ({ job, execution: executionOf(job, at, startedAt) })),
  );
}

async function jobsOf(pool: Pool, providerId: number, count: number): Promise<Job[]> {
  const { rows } = await pool.query<Job>(
    `select job_instance_uid as "jobInstanceUid", company_id as "companyId", source_group as "sourceGroup" from jobs where provider_id = $1 limit $2`,
    [providerId, count],
  );
  return rows;
}

async function ingest(pool: Pool, runs: readonly Run[]): Promise<void> {
  const executions = runs.map(({ execution }) => execution);
  // No run is in the future of the sync that brings it.
  const now = new Date(Math.max(...executions.map(({ endedAt }) => endedAt?.getTime() ?? 0)));
  const { added } = await ingestRuns(pool, 1, executions, now);
  if (added !== runs.length) throw new Error(`Of ${runs.length} new executions ${added} were added.`);
}

/** A run of the usual kind: most succeed, some fail with a message. */
function executionOf({ jobInstanceUid }: Job, at: number, hour: Date): NewRun {
  const startedAt = new Date(hour.getTime() + at * 100);
  const isFailed = at % 30 === 0;
  return {
    jobInstanceUid,
    startedAt,
    endedAt: new Date(startedAt.getTime() + 600_000 + (at % 60) * 1_000),
    result: isFailed ? 'Failed' : 'Success',
    transferredBytes: 1_000_000_000 + at,
    processedBytes: 10_000_000_000 + at,
    sizeBytes: 50_000_000_000,
    message: isFailed ? 'Processing of a machine ended with an error: the repository did not answer in time.' : null,
  };
}

const COPY = `copy job_executions (provider_id, started_at, id, job_instance_uid, company_id, ended_at, duration_ms, transferred_bytes,
  processed_bytes, size_bytes, source_group, result, state, message) from stdin`;

async function copy(pool: Pool, runs: readonly Run[]): Promise<void> {
  const lines = runs.map(({ job, execution }) => copyLine(job, execution));
  await transaction(pool, (connection) => pipeline(Readable.from([lines.join('')]), connection.query(copyFrom(COPY))));
}

function copyLine(job: Job, execution: NewRun): string {
  const { startedAt, endedAt, result, transferredBytes, processedBytes, sizeBytes, message } = execution;
  const id = executionId(2, job.jobInstanceUid, startedAt);
  const times = [startedAt.toISOString(), id, job.jobInstanceUid, job.companyId, endedAt?.toISOString(), 600_000];
  const amounts = [
    transferredBytes,
    processedBytes,
    sizeBytes,
    job.sourceGroup,
    result,
    result === 'Success' ? 'resolved' : 'pending',
  ];
  return `${[2, ...times, ...amounts, message ?? '\\N'].join('\t')}\n`;
}
