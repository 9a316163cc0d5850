import type { Pool } from '@keepwatch/server/foundation/database';
import { withDatabase } from '../bench-database.ts';
import { ms, printTable } from '../table.ts';
import { Targets } from '../targets.ts';
import { addInTurn, type Durations, type Timing, timingOf } from '../timing.ts';
import { type BenchApi, composeForRecording, openBenchSession, startApi } from './bench-portal.ts';
import { BENCH_SIZE, buildDays, buildJobs, finishDataset, SMALL_SIZE } from './dataset.ts';
import { benchIntake } from './intake.ts';
import { type MeasuredCall, measuredCalls } from './measured-calls.ts';
import { readOptions } from './options.ts';
import { PortalConnection, wireGet } from './portal-connection.ts';
import { type RecordedQuery, recordQueries } from './recorded-queries.ts';
import { benchSingleReports } from './single-reports.ts';

const PORT = 8_790;
/** All calls are measured in turn and then again: a moment at which the machine is busy falls on some rounds of a call, not on all. */
const PASSES = 4;
const ROUNDS = 30;
const JOBS = BENCH_SIZE.providers * BENCH_SIZE.companies * BENCH_SIZE.jobs;

/** What 10 million executions take. */
const LARGE_BYTES = 16 * 2 ** 30;

const HTTP_SHARE_MAX = 1.5;
const HTTP_OVER_MS_MAX = 3;
const MEMORY_MB_MAX = 350;

interface Measurement {
  http: Timing;
  sql: Timing;
}

/**
 * Builds 1 million and then 10 million executions (or `--days 10,100`: one execution a job and day) in the embedded database
 * and times every call behind the dashboard, the daily checks and the calendar, through HTTP and its SQL alone, and then the
 * intake in batches, and of single reports. `--only calls`, `--only intake` and `--only single` leave the others out.
 */
export async function benchMonitoring(options: readonly string[]): Promise<Targets> {
  const { days, parts } = readOptions(options);
  const targets = new Targets();
  if (parts.includes('calls') || parts.includes('intake'))
    await withDatabase(LARGE_BYTES, async (pool, url, folder) => {
      await buildJobs(pool, BENCH_SIZE);
      if (parts.includes('calls')) await measureSteps(pool, url, folder, days, targets);
      else await build(pool, { from: 1, to: days.at(-1) ?? 1 }, new Date(new Date().toISOString().slice(0, 10)));
      if (parts.includes('intake')) await benchIntake(pool, targets);
    });
  if (parts.includes('single'))
    await withDatabase(0, async (pool, url, folder) => {
      await buildJobs(pool, SMALL_SIZE);
      await measureSingleReports(pool, url, folder, targets);
    });
  return targets;
}

async function build(pool: Pool, daysAgo: { from: number; to: number }, today: Date): Promise<void> {
  const begun = performance.now();
  await buildDays(pool, daysAgo, today);
  await finishDataset(pool, BENCH_SIZE);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  process.stdout.write(`${(JOBS * daysAgo.to).toLocaleString('en')} executions built in ${seconds} s\n`);
}

async function measureSteps(
  pool: Pool,
  databaseUrl: string,
  folder: string,
  steps: readonly number[],
  targets: Targets,
): Promise<void> {
  const today = new Date(new Date().toISOString().slice(0, 10));
  const token = await openBenchSession(pool);
  const results: Map<string, Measurement>[] = [];
  let built = 0;
  let memoryPeakBytes = 0;
  for (const days of steps) {
    await build(pool, { from: built + 1, to: days }, today);
    built = days;
    const api = await startApi(databaseUrl, folder, PORT);
    results.push(await measureAll(pool, api, token, today));
    memoryPeakBytes = Math.max(memoryPeakBytes, await api.memoryPeakBytes());
    await api.stop();
  }
  print(measuredCalls(today), steps, results, targets);
  const peak = Math.round(memoryPeakBytes / 2 ** 20);
  const verdict = targets.evaluated('most memory of the api', `${peak} MB`, peak < MEMORY_MB_MAX);
  process.stdout.write(`\nMost memory the api held: ${verdict} (target: under ${MEMORY_MB_MAX} MB)\n`);
}

async function measureSingleReports(pool: Pool, url: string, folder: string, targets: Targets): Promise<void> {
  for (const providers of [1, BENCH_SIZE.providers]) {
    const api = await startApi(url, folder, PORT);
    await benchSingleReports(pool, folder, api, providers, targets);
    await api.stop();
  }
}

async function measureAll(pool: Pool, api: BenchApi, token: string, today: Date): Promise<Map<string, Measurement>> {
  const calls = await recordCalls(pool, { authorization: `Bearer ${token}` }, today);
  const connection = await PortalConnection.open(api.port);
  for (let pass = 0; pass < PASSES; pass += 1)
    for (const { address, queries, durations } of calls)
      await addInTurn(
        durations,
        ROUNDS,
        () => ask(connection, address, token),
        () => runAlone(pool, queries),
      );
  connection.close();
  return new Map(
    calls.map(({ name, durations }) => [name, { http: timingOf(durations[0]), sql: timingOf(durations[1]) }]),
  );
}

interface RecordedCall {
  name: string;
  address: string;
  queries: readonly RecordedQuery[];
  durations: Durations;
}

async function recordCalls(pool: Pool, headers: Record<string, string>, today: Date): Promise<RecordedCall[]> {
  const server = await composeForRecording(pool);
  const calls: RecordedCall[] = [];
  for (const { name, address } of measuredCalls(today)) {
    const queries = await recordQueries(() => server.inject({ method: 'GET', url: address, headers }));
    calls.push({ name, address, queries, durations: [[], []] });
  }
  await server.close();
  return calls;
}

async function ask(connection: PortalConnection, address: string, token: string): Promise<void> {
  const status = await connection.send(wireGet(address, token));
  if (status !== 200) throw new Error(`${address} answered ${status}.`);
}

/** The call's statements as the server runs them: beside each other. */
async function runAlone(pool: Pool, queries: readonly RecordedQuery[]): Promise<void> {
  await Promise.all(queries.map(({ text, values }) => pool.query(text, values)));
}

function print(
  calls: readonly MeasuredCall[],
  steps: readonly number[],
  results: readonly Map<string, Measurement>[],
  targets: Targets,
): void {
  const first = results[0];
  const last = results.at(-1);
  const rows = calls.map(({ screen, name, limits }) => {
    const [small, large] = [first?.get(name), last?.get(name)];
    if (small === undefined || large === undefined) throw new Error(`${name} was not measured`);
    const evaluated = (figure: string, value: string, isMet: boolean) =>
      targets.evaluated(`${screen}: ${name}, ${figure}`, value, isMet);
    const growth = large.http.medianMs / small.http.medianMs;
    const [share, overMs] = [large.http.medianMs / large.sql.medianMs, large.http.medianMs - large.sql.medianMs];
    return [
      `${screen}: ${name}`,
      ms(small.http.medianMs),
      ms(small.http.p95Ms),
      ms(large.http.medianMs),
      evaluated('p95', ms(large.http.p95Ms), large.http.p95Ms <= limits.p95Ms),
      ms(large.sql.medianMs),
      ms(large.sql.p95Ms),
      evaluated('growth', growth.toFixed(2), growth <= limits.growth),
      evaluated(
        'HTTP/SQL',
        `${share.toFixed(2)} (+${ms(overMs)})`,
        share <= HTTP_SHARE_MAX || overMs <= HTTP_OVER_MS_MAX,
      ),
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
    `Targets: p95 at most 100 and growth at most 1.5 (faults and causes: 60 and 1.2), HTTP at most ${HTTP_SHARE_MAX} times its SQL or ${HTTP_OVER_MS_MAX} ms over it`,
    heads,
    rows,
  );
}
