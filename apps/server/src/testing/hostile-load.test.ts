import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { addHealth } from '../foundation/http/health.ts';
import { openMetrics } from '../foundation/metrics.ts';
import { buildCompany, buildJob } from './builders.ts';
import type { Attacked, Orders, Watched } from './hostile-client.fixture.ts';
import { cpuMsSince, WORKS_IN_200_MS } from './processor-work.ts';
import { daysAgo } from './report-builders.ts';
import { startTestPortal, type TestPortal } from './test-portal.ts';

const SECONDS = 12;
/**
 * What `/healthz` takes at most under 60 hostile requests, as a multiple of a piece of work that the asking process does beside: 200 ms where that takes
 * 5 ms. On a machine that is slower, or busy with other things, both take longer.
 */
const WAIT_WORKS_MAX = 40;
/** This share of the answers has to keep to it, each by the work of its moment. */
const SHARE = 0.95;

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal(async (server, database) => {
    const queue = { isAnswering: async () => true, send: async () => {} };
    addHealth(server, { database, queue, metrics: openMetrics('test'), metricsToken: '', dataDir: tmpdir() });
  });
});
afterAll(() => portal.stop());

it('answers /healthz in time while 60 hostile requests are sent at once, and none of these ends in a fault', async () => {
  const orders = await giveOrders();
  const attack = startClient<Attacked>('attack', orders);
  await attack.begun;
  const work = watchWork();
  const [attacked, watched] = await Promise.all([attack.report, startClient<Watched>('watch', orders).report]);
  const longestMs = work.stop();
  const { waits, works, workCpuMs } = watched;
  const workMs = Math.min(...works);
  const wait = mostOf(waits.map((ms, at) => ms / (works[at] ?? workMs)));
  const longest = longestMs / workCpuMs;
  console.info(
    `/healthz under load: ${waits.length} answers, 95 % within ${Math.round(mostOf(waits))} ms, all within ${Math.round(Math.max(...waits))} ms; 95 % within ${wait.toFixed(1)} times the work of their moment, which took ${workMs.toFixed(1)} ms at best and ${mean(works).toFixed(1)} ms on average; the server's thread worked ${Math.round(longestMs)} ms at a time at most, ${longest.toFixed(1)} times the processor time of that work; ${JSON.stringify(attacked.statuses)}`,
  );
  expect(waits.length).toBeGreaterThan(20);
  expect(longest).toBeLessThanOrEqual(WORKS_IN_200_MS);
  expect(wait).toBeLessThanOrEqual(WAIT_WORKS_MAX);
  const answered = Object.values(attacked.statuses).reduce((sum, count) => sum + count, 0);
  expect(answered).toBeGreaterThanOrEqual(60);
  // 413 and 422 for what the reports are, 401 and 429 for guesses, 503 for what has to wait too long.
  const faults = Object.entries(attacked.statuses).filter(([status]) => Number(status) >= 500 && status !== '503');
  expect(faults).toEqual([]);
});

async function giveOrders(): Promise<Orders> {
  const admin = await portal.as(['admin', 'operator']);
  const companyId = await buildCompany(portal.database);
  const { token } = await admin.call(createIntakeToken, { body: { name: 'Hostile', companyId } });
  const job = await buildJob(portal.database, { companyId });
  await execute(
    portal.database,
    sql`insert into job_executions (provider_id, started_at, id, job_instance_uid, company_id, source_group, result, state, message)
        select 1, ${daysAgo(1)}::timestamptz - make_interval(secs => n), gen_random_uuid(), ${job.jobInstanceUid}, ${companyId},
          ${job.sourceGroup}, 'Failed', 'pending', repeat('x', 200) from generate_series(1, 20000) n`,
  );
  return { url: portal.url, intake: `/api/monitoring/intake/${token}`, token: admin.token ?? '', seconds: SECONDS };
}

/** What 95 % are within. */
function mostOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * SHARE)] ?? Number.POSITIVE_INFINITY;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Measures how long the server's thread works at most between two looks at its connections, in milliseconds of its processor. */
function watchWork(): { stop(): number } {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, cpuMsSince(before));
    before = process.threadCpuUsage();
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return longestMs;
    },
  };
}

/** Starts the client in a process of its own: when it has begun, and what it reports in the end. */
function startClient<Report>(
  kind: 'attack' | 'watch',
  orders: Orders,
): { begun: Promise<unknown>; report: Promise<Report> } {
  const client = spawn(process.execPath, [join(import.meta.dirname, 'hostile-client.fixture.ts'), kind]);
  client.stderr.pipe(process.stderr);
  client.stdin.end(JSON.stringify(orders));
  return { begun: once(client.stderr, 'data'), report: json(client.stdout).then((report) => report as Report) };
}
