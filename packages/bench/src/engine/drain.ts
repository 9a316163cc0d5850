import { backUp } from '@keepwatch/engine/backup/backup';
import { REQUESTS_AT_ONCE } from '@keepwatch/engine/source/graph/connection';
import { openGraphSource } from '@keepwatch/engine/source/graph/graph-source';
import { openTransport } from '@keepwatch/engine/source/graph/requests/transport';
import type { Selection } from '@keepwatch/engine/source/source';
import { printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timingOf } from '../timing.ts';
import { isOfIdentity, RequestRecord, sendAgain } from './bare-client.ts';
import type { Bench } from './bench-repository.ts';
import { type BenchTenant, startBenchTenant } from './bench-tenant.ts';
import { requireWhole } from './whole-backup.ts';

const ROUNDS = 5;
/**
 * Without any latency both are as fast as three processes share this machine, and what the engine computes counts in full. With some,
 * a small one for the vendor, what counts is whether it always has as much under way as it may.
 */
const LATENCIES_MS = [
  { latencyMs: 0, shareMin: 0.7 },
  { latencyMs: 20, shareMin: 0.8 },
];
/** Ids and instants are of one length; what differs by more than this is not the same work. */
const BYTES_OFF_MAX = 0.001;
/** What is asked together depends on what comes together. */
const WIRE_OFF_MAX = 0.02;

const MAILBOXES: Selection = {
  scope: 'everything',
  kinds: ['mailbox'],
  include: [],
  exclude: [],
  personalSites: false,
};

/**
 * Draining a tenant: a first backup of all mailboxes into a new repository, against a client that sends the same requests within the
 * same limits and throws the replies away. The tenant makes its items again whenever it is asked, so none of the two finds them made;
 * a first round of both, which does not count, warms all processes. What is asked is recorded in that round alone: the record is no work
 * of the engine, and its text would be collected on the engine's time. Then they take turns in going first; the medians count.
 */
export async function benchDrain(bench: Bench, targets: Targets): Promise<void> {
  const rows: string[][] = [];
  for (const { latencyMs, shareMin } of LATENCIES_MS) {
    const tenant = await startBenchTenant('medium', latencyMs);
    try {
      const { share, cells } = await drained(bench, tenant);
      const name = `draining after ${latencyMs} ms`;
      const verdict = targets.evaluated(name, share.toFixed(2), share >= shareMin);
      rows.push([`${latencyMs} ms`, ...cells, verdict, `at least ${shareMin}`]);
    } finally {
      await tenant.stop();
    }
  }
  printTable(
    'Draining: the share of a bare client',
    ['draining mailboxes, answers after', 'engine', 'bare client', 'requests', 'on the wire', 'share', 'target'],
    rows,
  );
}

async function drained(bench: Bench, tenant: BenchTenant): Promise<{ share: number; cells: string[] }> {
  const record = new RequestRecord();
  await backedUp(bench, tenant, record.send);
  await sentAgain(tenant, record);
  const rounds: { engineMs: number; bareMs: number; bytes: number; requests: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = round % 2 === 1 ? await sentAgain(tenant, record) : null;
    let sent = 0;
    const send = openTransport();
    const engine = await backedUp(bench, tenant, (request) => {
      if (!isOfIdentity(request)) sent += 1;
      return send(request);
    });
    requireAlike(sent, record.requests.length);
    const bare = before ?? (await sentAgain(tenant, record));
    compare(engine.traffic, bare.traffic);
    const share = (bare.ms / engine.ms).toFixed(2);
    process.stdout.write(
      `round ${round + 1} of ${ROUNDS}: ${Math.round(engine.ms)} ms, bare client ${Math.round(bare.ms)} ms, ${share}\n`,
    );
    rounds.push({ engineMs: engine.ms, bareMs: bare.ms, bytes: engine.bytes, requests: engine.traffic.total });
  }
  const engineMs = timingOf(rounds.map((round) => round.engineMs)).medianMs;
  const bareMs = timingOf(rounds.map((round) => round.bareMs)).medianMs;
  const [{ bytes = 0, requests = 0 } = {}] = rounds;
  const rate = (ms: number) => `${(bytes / 1e3 / ms).toFixed(1)} MB/s`;
  const cells = [rate(engineMs), rate(bareMs), String(requests), String(record.requests.length)];
  return { share: bareMs / engineMs, cells };
}

/** @throws Error when the engine did not ask as in the round that was recorded */
function requireAlike(sent: number, recorded: number): void {
  if (Math.abs(sent - recorded) / recorded < WIRE_OFF_MAX) return;
  throw new Error(`The engine sent ${sent} requests, and ${recorded} in the round that was recorded.`);
}

interface Traffic {
  total: number;
  bytesSent: number;
}

/** @throws Error when the two did not do the same */
function compare(engine: Traffic, bare: Traffic): void {
  const off = Math.abs(engine.bytesSent - bare.bytesSent) / engine.bytesSent;
  if (engine.total === bare.total && off < BYTES_OFF_MAX) return;
  throw new Error(`Not the same work: ${JSON.stringify({ engine, bare })}.`);
}

/** Backs up all mailboxes of a tenant into a new repository. @throws Error unless the backup is whole: a folder that broke off would make it faster */
export async function backedUp(bench: Bench, tenant: BenchTenant, send = openTransport()) {
  const { repository, catalog } = await bench.repository();
  const source = openGraphSource(tenant.connect(send));
  const { result, ...measured } = await measure(tenant, () => {
    const job = { id: 'bench', name: 'bench', selection: MAILBOXES };
    return backUp({ repository, catalog, source, signal: new AbortController().signal }, job);
  });
  await requireWhole(result, catalog, await tenant.heldItems());
  return { bytes: result.counts.bytesRead, ...measured };
}

function sentAgain(tenant: BenchTenant, record: RequestRecord) {
  return measure(tenant, () => sendAgain(record, REQUESTS_AT_ONCE));
}

async function measure<Result>(
  tenant: BenchTenant,
  work: () => Promise<Result>,
): Promise<{ result: Result; ms: number; traffic: Traffic }> {
  const before = await tenant.traffic();
  const begunMs = performance.now();
  const result = await work();
  const ms = performance.now() - begunMs;
  const after = await tenant.traffic();
  return { result, ms, traffic: { total: after.total - before.total, bytesSent: after.bytesSent - before.bytesSent } };
}
