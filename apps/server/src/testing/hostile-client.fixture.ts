/**
 * A process of its own that sends hostile requests, or asks for `/healthz` while others do: its own work does not slow
 * the thread that is measured. `node hostile-client.fixture.ts attack|watch`, with its orders as JSON on its standard input.
 */
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { HOSTILE_REPORTS } from './hostile-reports.ts';
import { cpuMsSince, TOGETHER, work } from './processor-work.ts';

export interface Orders {
  url: string;
  intake: string;
  token: string;
  seconds: number;
}

export interface Watched {
  /** How long each answer of `/healthz` took, in milliseconds. */
  waits: number[];
  /** How long the same work took in this process after each of them, in milliseconds. */
  works: number[];
  /** The least of its own processor time that this work took, on average of ten at a time, in milliseconds. */
  workCpuMs: number;
}

export interface Attacked {
  /** Replies by status; 0 where the connection was ended. */
  statuses: Record<string, number>;
}

const orders: Orders = JSON.parse(await text(process.stdin));
const headers = { authorization: `Bearer ${orders.token}` };
// Made before the time begins: this takes some seconds itself.
const bodies = process.argv[2] === 'attack' ? Object.values(HOSTILE_REPORTS).map((make) => make()) : [];
const ends = performance.now() + orders.seconds * 1_000;
process.stderr.write('begun\n');
process.stdout.write(JSON.stringify(process.argv[2] === 'watch' ? await watch() : await attack()));

async function watch(): Promise<Watched> {
  const watched: Watched = { waits: [], works: [], workCpuMs: Number.POSITIVE_INFINITY };
  let cpuMs = 0;
  while (performance.now() < ends) {
    const begun = performance.now();
    await (await fetch(`${orders.url}/healthz`)).text();
    watched.waits.push(performance.now() - begun);
    const before = process.threadCpuUsage();
    watched.works.push(msOfWork());
    cpuMs += cpuMsSince(before);
    if (watched.works.length % TOGETHER === 0) {
      watched.workCpuMs = Math.min(watched.workCpuMs, cpuMs / TOGETHER);
      cpuMs = 0;
    }
    await delay(10);
  }
  return watched;
}

/** How long the work takes in this process, which shares the processors with the server. */
function msOfWork(): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

/** Sixty at once, one after another, until the time is over: reports of 8 MB, heavy lists, exports, sign-ins. */
async function attack(): Promise<Attacked> {
  const statuses: Record<string, number> = {};
  const attackers = Array.from({ length: 60 }, async (_, n) => {
    for (let round = n; performance.now() < ends; round += 1) {
      const status = await [sendReport, sendList, sendExport, sendSignIn]
        [n % 4]?.(bodies[round % bodies.length] ?? '')
        .catch(() => 0);
      statuses[String(status)] = (statuses[String(status)] ?? 0) + 1;
    }
  });
  await Promise.all(attackers);
  return { statuses };
}

async function ask(path: string, init: RequestInit): Promise<number> {
  const response = await fetch(orders.url + path, init);
  await response.arrayBuffer();
  return response.status;
}

function sendReport(body: string): Promise<number> {
  return ask(`${orders.intake}?job=hostile`, { method: 'POST', body });
}

function sendList(): Promise<number> {
  return ask('/api/monitoring/reporting/jobs?limit=1000&filter.search=a&filter.state=all&filter.ignored=true', {
    headers,
  });
}

function sendExport(): Promise<number> {
  const body = JSON.stringify({ source: 'JOBS', format: 'csv' });
  return ask('/api/monitoring/reporting/export', { method: 'POST', body, headers });
}

function sendSignIn(): Promise<number> {
  const body = JSON.stringify({ username: `guess ${Math.random()}`, password: 'x'.repeat(900) });
  return ask('/api/auth/login/db', { method: 'POST', body });
}
