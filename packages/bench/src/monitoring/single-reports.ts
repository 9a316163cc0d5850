import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from '@keepwatch/server/foundation/database';
import { hashOfToken } from '@keepwatch/server/foundation/secrets';
import { ms, printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timingOf } from '../timing.ts';
import type { BenchApi } from './bench-portal.ts';
import { PortalConnection, type WireRequest, wireReport } from './portal-connection.ts';
import { postmasterPid, processorSeconds } from './processor-time.ts';

const CONNECTIONS = 32;
const REPORTS = 20_000;
/** Every company has its own token, under which some machines report. */
const TOKENS = 500;
const JOBS_A_TOKEN = 4;
const JOBS = TOKENS * JOBS_A_TOKEN;
const AT_ONCE = 3_000;
/** Longer than a run, and than the pause before a retry may be. */
const APART_MS = 30 * 60_000;
/** The runs of a job are in the past, one after another, as they are at real tools. */
const FIRST_MS = 5 * 86_400_000;

const RATE_MIN = 1_000;
const P95_MS_MAX = 50;
const PROCESSOR_S_MAX = 2;
const AT_ONCE_S_MAX = 5;
const WAL_MB_MAX = 128;
const MEMORY_MB_MAX = 350;

/**
 * Reports of one run each, as cron jobs send them: of many companies with a token of their own, half of them what restic printed.
 * First some connections that send one report after another, then all jobs at once as at the full hour.
 */
export async function benchSingleReports(
  pool: Pool,
  databaseFolder: string,
  api: BenchApi,
  providers: number,
  targets: Targets,
): Promise<void> {
  const tokens = await makeTokens(pool, providers);
  const reports = reportsOf(tokens, `backup-${providers}`, Date.now() - FIRST_MS);
  await send(api.port, CONNECTIONS, Array.from({ length: JOBS }, reports.next));
  const database = await postmasterPid(pool);
  const used = async () => [await processorSeconds(api.pid), await processorSeconds(database)] as const;
  const before = await used();
  const steady = await send(api.port, CONNECTIONS, Array.from({ length: REPORTS }, reports.next));
  const after = await used();
  const [ofApi, ofDatabase] = [0, 1].map((at) => (((after[at] ?? 0) - (before[at] ?? 0)) * 1_000) / REPORTS);
  const crowd = await send(api.port, AT_ONCE, Array.from({ length: AT_ONCE }, reports.next));
  const memory = (await api.memoryPeakBytes()) / 2 ** 20;
  const wal = await walMebibytes(databaseFolder);
  const where = `${providers} ${providers === 1 ? 'provider' : 'providers'}`;
  // Thirty-two connections are three reports a batch where ten providers share them: how fast that is follows from the processor's time.
  const isEvaluated = providers === 1;
  const evaluated = (name: string, figure: string, isMet: boolean, target: string) => [
    name,
    targets.evaluated(`single reports, ${where}: ${name}`, figure, isMet),
    target,
  ];
  const rate = (REPORTS * 1_000) / steady.ms;
  const { medianMs, p95Ms } = timingOf(steady.durations);
  const processor = (ofApi ?? 0) + (ofDatabase ?? 0);
  printTable(
    `Single reports of ${where}, ${CONNECTIONS} connections, ${TOKENS} tokens, ${JOBS} jobs`,
    ['figure', 'measured', 'target'],
    [
      isEvaluated
        ? evaluated('reports a second', whole(rate), rate >= RATE_MIN, `${RATE_MIN}`)
        : ['reports a second', whole(rate), ''],
      ['median, ms', ms(medianMs), ''],
      isEvaluated ? evaluated('p95, ms', ms(p95Ms), p95Ms <= P95_MS_MAX, `${P95_MS_MAX}`) : ['p95, ms', ms(p95Ms), ''],
      ['processor s for 1,000: api', (ofApi ?? 0).toFixed(2), ''],
      ['processor s for 1,000: database', (ofDatabase ?? 0).toFixed(2), ''],
      evaluated(
        'processor s for 1,000: both',
        processor.toFixed(2),
        processor <= PROCESSOR_S_MAX,
        `${PROCESSOR_S_MAX}`,
      ),
      evaluated(
        `${AT_ONCE} at once, s`,
        (crowd.ms / 1_000).toFixed(2),
        crowd.ms <= AT_ONCE_S_MAX * 1_000,
        `${AT_ONCE_S_MAX}`,
      ),
      evaluated('refused', String(steady.refused + crowd.refused), steady.refused + crowd.refused === 0, '0'),
      evaluated(
        'most memory of the api, MB',
        String(Math.round(memory)),
        memory < MEMORY_MB_MAX,
        `under ${MEMORY_MB_MAX}`,
      ),
      evaluated('write-ahead log, MB', String(Math.round(wal)), wal < WAL_MB_MAX, `under ${WAL_MB_MAX}`),
    ],
  );
}

function whole(figure: number): string {
  return Math.round(figure).toLocaleString('en');
}

async function makeTokens(pool: Pool, providers: number): Promise<string[]> {
  const tokens = Array.from({ length: TOKENS }, (_, at) => `bench-${providers}-${at}`.padEnd(43, 'x'));
  await pool.query(
    `insert into intake_tokens (token_hash, provider_id, id, company_id, name, created_at)
     select k.hash, c.provider_id, gen_random_uuid(), c.id, 'Bench', now()
     from unnest($1::bytea[], $2::int[], $3::int[]) as k (hash, provider, company)
     join companies c on c.provider_id = k.provider and c.id = md5('company ' || k.provider || ' ' || k.company)::uuid`,
    [
      tokens.map(hashOfToken),
      tokens.map((_, at) => 1 + (at % providers)),
      tokens.map((_, at) => 1 + Math.floor(at / providers)),
    ],
  );
  return tokens;
}

/** The reports of all jobs in turn: the next run of each. */
function reportsOf(tokens: readonly string[], jobs: string, firstMs: number): { next(): WireRequest } {
  let count = 0;
  return {
    next() {
      const [job, round] = [count % JOBS, Math.floor(count / JOBS)];
      count += 1;
      const token = tokens[job % tokens.length] ?? '';
      const startMs = firstMs + round * APART_MS + job * 100;
      const name = `${jobs}-${Math.floor(job / tokens.length)}`;
      return job % 2 === 0 ? plainReport(token, name, startMs, job) : resticReport(token, name, startMs, job);
    },
  };
}

function plainReport(token: string, job: string, startMs: number, seed: number): WireRequest {
  const isFailed = seed % 30 === 0;
  const run = {
    job,
    startedAt: new Date(startMs).toISOString(),
    durationMs: 600_000 + (seed % 60) * 1_000,
    result: isFailed ? 'Failed' : 'Success',
    transferredBytes: 1_000_000_000 + seed,
    processedFiles: 1_000,
    ...(isFailed ? { message: 'The repository did not answer in time.' } : {}),
  };
  return wireReport(token, '', JSON.stringify(run));
}

function resticReport(token: string, job: string, startMs: number, seed: number): WireRequest {
  const summary = {
    message_type: 'summary',
    files_new: 12,
    files_changed: 40,
    files_unmodified: 90_000 + seed,
    dirs_new: 0,
    dirs_changed: 12,
    dirs_unmodified: 8_000,
    data_blobs: 60,
    tree_blobs: 13,
    data_added: 52_428_800 + seed,
    data_added_packed: 31_457_280 + seed,
    total_files_processed: 90_052 + seed,
    total_bytes_processed: 50_000_000_000 + seed,
    total_duration: 61.5,
    backup_start: new Date(startMs).toISOString(),
    backup_end: new Date(startMs + 61_500).toISOString(),
    snapshot_id: seed.toString(16).padStart(64, 'a'),
  };
  return wireReport(token, `?job=${job}&exitCode=0`, `${JSON.stringify(summary)}\n`);
}

interface Sent {
  ms: number;
  /** Of each report, from when it was sent to its answer. */
  durations: number[];
  refused: number;
}

async function send(port: number, connections: number, reports: readonly WireRequest[]): Promise<Sent> {
  const open = await Promise.all(Array.from({ length: connections }, () => PortalConnection.open(port)));
  const durations: number[] = [];
  let [at, refused] = [0, 0];
  const begun = performance.now();
  const sendAll = async (connection: PortalConnection) => {
    for (let report = reports[at++]; report !== undefined; report = reports[at++]) {
      const sentMs = performance.now();
      if ((await connection.send(report)) !== 200) refused += 1;
      durations.push(performance.now() - sentMs);
    }
  };
  await Promise.all(open.map(sendAll));
  const elapsed = performance.now() - begun;
  for (const connection of open) connection.close();
  return { ms: elapsed, durations, refused };
}

/** The files of the log, as its folder has them: the portal's account of the database may not ask for them. */
async function walMebibytes(databaseFolder: string): Promise<number> {
  const folder = join(databaseFolder, 'postgres', 'pg_wal');
  const names = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
}
