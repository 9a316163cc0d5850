import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { openPool, type Pool } from '@keepwatch/server/foundation/database';
import { migrateDatabase } from '@keepwatch/server/foundation/migrations';
import { ms, printTable } from '../table.ts';
import { type Timing, timeInTurn } from '../timing.ts';
import { type BenchApi, composeForRecording, openBenchSession, startApi } from './bench-portal.ts';
import { BENCH_SIZE, buildDays, buildJobs, finishDataset } from './dataset.ts';
import { benchIntake } from './intake.ts';
import { type MeasuredCall, measuredCalls } from './measured-calls.ts';
import { type RecordedQuery, recordQueries } from './recorded-queries.ts';

const PORT = 8_790;
const ROUNDS = 60;
const JOBS = BENCH_SIZE.providers * BENCH_SIZE.companies * BENCH_SIZE.jobs;

interface Measurement {
  http: Timing;
  sql: Timing;
}

/**
 * Builds 1 million and then 10 million executions (or `--days 10,100`: one execution a job and day) in the embedded database
 * and times every call behind the dashboard, the daily checks and the calendar: through HTTP, and its SQL alone.
 */
export async function benchMonitoring(options: readonly string[]): Promise<void> {
  const steps = daysOf(options);
  const folder = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'keepwatch-bench-'));
  const database = await startEmbeddedDatabase({ dataDir: folder, log: () => {} });
  try {
    await migrateDatabase(database.url);
    const pool = openPool(database.url, { connectionsMax: 4, statementTimeoutMs: 0, name: 'bench' });
    await buildJobs(pool, BENCH_SIZE);
    await measureSteps(pool, database.url, folder, steps);
    await benchIntake(pool);
    await pool.end();
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function daysOf(options: readonly string[]): number[] {
  const given = options[options.indexOf('--days') + 1];
  const text = options.includes('--days') && given !== undefined ? given : '10,100';
  return text.split(',').map(Number);
}

async function measureSteps(pool: Pool, databaseUrl: string, folder: string, steps: readonly number[]): Promise<void> {
  const today = new Date(new Date().toISOString().slice(0, 10));
  const token = await openBenchSession(pool);
  const results: Map<string, Measurement>[] = [];
  let built = 0;
  let memoryPeakBytes = 0;
  for (const days of steps) {
    const begun = performance.now();
    await buildDays(pool, { from: built + 1, to: days }, today);
    await finishDataset(pool, BENCH_SIZE);
    built = days;
    process.stdout.write(
      `${(JOBS * days).toLocaleString('en')} executions built in ${Math.round((performance.now() - begun) / 1_000)} s\n`,
    );
    const api = await startApi(databaseUrl, folder, PORT);
    results.push(await measureAll(pool, api, token, today));
    memoryPeakBytes = Math.max(memoryPeakBytes, await api.memoryPeakBytes());
    await api.stop();
  }
  print(measuredCalls(today), steps, results);
  process.stdout.write(`\nMost memory the api held: ${Math.round(memoryPeakBytes / 2 ** 20)} MB (target: under 350)\n`);
}

async function measureAll(pool: Pool, api: BenchApi, token: string, today: Date): Promise<Map<string, Measurement>> {
  const server = await composeForRecording(pool);
  const headers = { authorization: `Bearer ${token}` };
  const results = new Map<string, Measurement>();
  for (const { name, address } of measuredCalls(today)) {
    const queries = await recordQueries(pool, () => server.inject({ method: 'GET', url: address, headers }));
    const [http, sql] = await timeInTurn(
      ROUNDS,
      () => ask(api.url + address, headers),
      () => runAlone(pool, queries),
    );
    results.set(name, { http, sql });
  }
  await server.close();
  return results;
}

async function ask(url: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
}

/** The call's statements as the server runs them: beside each other. */
async function runAlone(pool: Pool, queries: readonly RecordedQuery[]): Promise<void> {
  await Promise.all(queries.map(({ text, values }) => pool.query(text, values)));
}

function print(
  calls: readonly MeasuredCall[],
  steps: readonly number[],
  results: readonly Map<string, Measurement>[],
): void {
  const first = results[0];
  const last = results.at(-1);
  const rows = calls.map(({ screen, name }) => {
    const [small, large] = [first?.get(name), last?.get(name)];
    if (small === undefined || large === undefined) throw new Error(`${name} was not measured`);
    return [
      `${screen}: ${name}`,
      ms(small.http.medianMs),
      ms(small.http.p95Ms),
      ms(large.http.medianMs),
      ms(large.http.p95Ms),
      ms(large.sql.medianMs),
      ms(large.sql.p95Ms),
      (large.http.medianMs / small.http.medianMs).toFixed(2),
      `${(large.http.medianMs / large.sql.medianMs).toFixed(2)} (+${ms(large.http.medianMs - large.sql.medianMs)})`,
    ];
  });
  const [few, many] = [steps[0] ?? 0, steps.at(-1) ?? 0].map((days) => `${(JOBS * days) / 1e6}M`);
  const heads = [
    'call, in ms',
    `${few} med`,
    `${few} p95`,
    `${many} med`,
    `${many} p95`,
    `${many} SQL med`,
    'SQL p95',
    'growth',
    'HTTP/SQL',
  ];
  printTable(
    'Targets: p95 at most 100, growth at most 1.5, HTTP at most 1.5 times its SQL or 3 ms over it',
    heads,
    rows,
  );
}
