import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pool, transaction } from '@keepwatch/server/foundation/database';
import { executionId } from '@keepwatch/server/monitoring/executions/execution-id';
import type { NewExecution } from '@keepwatch/server/monitoring/executions/new-execution';
import { takeExecutions } from '@keepwatch/server/monitoring/executions/take-executions';
import { from as copyFrom } from 'pg-copy-streams';
import { printTable } from '../table.ts';
import { timed } from '../timing.ts';

const BATCH = 5_000;
const ROUNDS = 20;
/** Longer than a run takes and than a retry may lie apart. */
const APART_MS = 30 * 60_000;

interface Job {
  jobInstanceUid: string;
  companyId: string;
  sourceGroup: string;
}

/**
 * New runs of 5,000 jobs a batch, as a sync brings them: through the one door with everything it does (retries, anomalies, memory of
 * jobs, rollups), and beside it, batch by batch in turn, rows of the same width copied bare into the same table with its indexes.
 */
export async function benchIntake(pool: Pool): Promise<void> {
  const [ours, theirs] = [await jobsOf(pool, 1), await jobsOf(pool, 2)];
  const tookMs = { intake: 0, copy: 0 };
  for (let round = -2; round < ROUNDS; round += 1) {
    // After every run of the dataset, as a sync brings them; clocks of consoles may be ahead, so it may lie in the future.
    const startedAt = new Date(Date.now() + round * APART_MS);
    const intakeMs = await timed(() => take(pool, ours, startedAt));
    const copyMs = await timed(() => copy(pool, theirs, startedAt));
    if (round < 0) continue;
    tookMs.intake += intakeMs;
    tookMs.copy += copyMs;
  }
  const rate = (ms: number) => Math.round((BATCH * ROUNDS * 1_000) / ms);
  const share = rate(tookMs.intake) / rate(tookMs.copy);
  const cells = [rate(tookMs.intake), rate(tookMs.copy)].map((value) => value.toLocaleString('en'));
  const heads = ['executions a second', 'intake', 'bare COPY', 'share'];
  printTable('Target: at least a third of a bare COPY into the same table', heads, [
    [`${BATCH} a batch`, ...cells, share.toFixed(2)],
  ]);
}

async function jobsOf(pool: Pool, providerId: number): Promise<Job[]> {
  const { rows } = await pool.query<Job>(
    `select job_instance_uid as "jobInstanceUid", company_id as "companyId", source_group as "sourceGroup" from jobs where provider_id = $1 limit $2`,
    [providerId, BATCH],
  );
  return rows;
}

async function take(pool: Pool, jobs: readonly Job[], startedAt: Date): Promise<void> {
  const executions = jobs.map((job, at) => executionOf(job, at, startedAt));
  const { added } = await takeExecutions(pool, 1, executions, new Date());
  if (added !== jobs.length) throw new Error(`Of ${jobs.length} new executions ${added} were added.`);
}

/** A run of the usual kind: most succeed, some fail with a message. */
function executionOf({ jobInstanceUid }: Job, at: number, hour: Date): NewExecution {
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

async function copy(pool: Pool, jobs: readonly Job[], startedAt: Date): Promise<void> {
  const lines = jobs.map((job, at) => copyLine(job, executionOf(job, at, startedAt)));
  await transaction(pool, (connection) => pipeline(Readable.from([lines.join('')]), connection.query(copyFrom(COPY))));
}

function copyLine(job: Job, execution: NewExecution): string {
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
