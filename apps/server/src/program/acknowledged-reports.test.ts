import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { openPool, row, rows } from '../foundation/database.ts';
import { migrateDatabase } from '../foundation/migrations.ts';
import { hashOfToken, newToken } from '../foundation/secrets.ts';
import { buildCompany } from '../testing/builders.ts';

const ROLE = join(import.meta.dirname, 'role.ts');
const SENDERS = 16;
const ACKNOWLEDGED_BEFORE_KILL = 300;

async function openDatabase(folder: string): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ dataDir: folder, log: () => {} });
  onTestFinished(() => database.stop());
  return database;
}

function connect(url: string) {
  return openPool(url, { connectionsMax: 2, statementTimeoutMs: 0, name: 'test' });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
}

async function startApi(databaseUrl: string, folder: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [ROLE, 'api'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

/** The processes that a process has started, and itself. */
async function processTree(pid: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    names.map(async (name) => {
      const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
      return { pid: Number(name), parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0) };
    }),
  );
  return [pid, ...parents.filter(({ parent }) => parent === pid).map((child) => child.pid)];
}

async function killPostgres(databaseUrl: string): Promise<void> {
  const pool = connect(databaseUrl);
  pool.on('error', () => {});
  const found = await row<{ pid: number }>(pool, sql`select pg_backend_pid() as pid`);
  const status = await readFile(`/proc/${found?.pid}/status`, 'utf8');
  const postmaster = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
  for (const pid of await processTree(postmaster)) process.kill(pid, 'SIGKILL');
  await pool.end().catch(() => undefined);
}

/** Sends reports until `isOver`; gives the ids of the runs that were acknowledged. */
async function sendUntil(port: number, token: string, acknowledged: string[], isOver: () => boolean): Promise<void> {
  const address = `http://127.0.0.1:${port}/api/monitoring/intake/${token}`;
  const startMs = Date.now() - 40 * 86_400_000;
  const sendAll = async (_: unknown, sender: number) => {
    for (let sent = 0; !isOver(); sent += 1) {
      const startedAt = new Date(startMs + sent * 1_800_000).toISOString();
      const run = { job: `sender ${sender}`, startedAt, durationMs: 60_000, result: 'Success' };
      // What fails while something is killed was not acknowledged; the sender goes on until it is asked to stop.
      const response = await fetch(address, { method: 'POST', body: JSON.stringify(run) }).catch(() => null);
      if (response?.status !== 200) continue;
      const { data } = (await response.json()) as { data: { _id: string }[] };
      for (const { _id } of data) acknowledged.push(_id);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sendAll));
}

async function missing(databaseUrl: string, acknowledged: readonly string[]): Promise<string[]> {
  const pool = connect(databaseUrl);
  const found = await rows<{ id: string }>(pool, sql`select id from job_executions`);
  await pool.end();
  const stored = new Set(found.map(({ id }) => id));
  return acknowledged.filter((id) => !stored.has(id));
}

async function prepare() {
  const folder = await makeTemporaryFolder('keepwatch-acknowledged-');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = await openDatabase(folder);
  await migrateDatabase(database.url);
  const pool = connect(database.url);
  const token = newToken();
  await pool.query(`insert into providers (id, name, domain) values (1, 'Provider', 'localhost')`);
  const companyId = await buildCompany(pool);
  await pool.query(
    `insert into intake_tokens (token_hash, provider_id, id, company_id, name) values ($1, 1, gen_random_uuid(), $2, 'Machine')`,
    [hashOfToken(token), companyId],
  );
  await pool.end();
  const port = await freePort();
  const api = await startApi(database.url, folder, port);
  return { folder, database, token, port, api };
}

it.each(['the portal', 'PostgreSQL'])(
  'loses no acknowledged report when %s is killed',
  async (what) => {
    const { folder, database, token, port, api } = await prepare();
    const acknowledged: string[] = [];
    let isOver = false;
    const sending = sendUntil(port, token, acknowledged, () => isOver);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(ACKNOWLEDGED_BEFORE_KILL);
    if (what === 'PostgreSQL') await killPostgres(database.url);
    else api.kill('SIGKILL');
    isOver = true;
    await sending;
    let { url } = database;
    if (what === 'PostgreSQL') {
      await database.stop();
      url = (await openDatabase(folder)).url;
    }
    expect(acknowledged.length).toBeGreaterThan(ACKNOWLEDGED_BEFORE_KILL);
    expect(await missing(url, acknowledged)).toEqual([]);
  },
  120_000,
);
