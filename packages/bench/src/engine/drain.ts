import { backUp } from '@keepwatch/engine/backup/backup';
import { openGraphSource } from '@keepwatch/engine/source/graph/graph-source';
import type { Selection } from '@keepwatch/engine/source/source';
import { printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timed } from '../timing.ts';
import type { Bench } from './bench-repository.ts';
import { type BenchTenant, startBenchTenant } from './bench-tenant.ts';

const SHARE_MIN = 0.7;
const ROUNDS = 3;
/** As many as a mailbox serves at a time, and mailboxes that are read side by side. */
const REQUESTS_AT_ONCE = 16;

const MAILBOXES: Selection = {
  scope: 'everything',
  kinds: ['mailbox'],
  include: [],
  exclude: [],
  personalSites: false,
};

/** A request of the engine, to be sent again. */
interface Recorded {
  url: string;
  init: RequestInit;
}

/**
 * Draining a tenant: a first backup of all mailboxes against a client that sends the same requests, reads the same replies to their last
 * byte and throws them away. In turn, several rounds; the medians count.
 */
export async function benchDrain(bench: Bench, targets: Targets): Promise<void> {
  const tenant = await startBenchTenant('small');
  try {
    const rounds: { engineMs: number; bareMs: number; bytes: number; requests: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await oneRound(bench, tenant));
    const middle = (of: (round: (typeof rounds)[number]) => number) =>
      rounds.map(of).sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
    const [engineMs, bareMs] = [middle((round) => round.engineMs), middle((round) => round.bareMs)];
    const share = bareMs / engineMs;
    const rate = (ms: number) => `${(middle((round) => round.bytes) / 1e3 / ms).toFixed(1)} MB/s`;
    printTable(
      `Target: at least ${SHARE_MIN} of a bare client`,
      ['draining mailboxes', 'engine', 'bare client', 'requests', 'share'],
      [
        [
          'first backup',
          rate(engineMs),
          rate(bareMs),
          String(rounds[0]?.requests ?? 0),
          targets.judged('draining', share.toFixed(2), share >= SHARE_MIN),
        ],
      ],
    );
  } finally {
    await tenant.stop();
  }
}

async function oneRound(bench: Bench, tenant: BenchTenant) {
  const requests: Recorded[] = [];
  const recording: typeof fetch = (input, init) => {
    if (init !== undefined) requests.push({ url: String(input), init });
    return fetch(input, init);
  };
  const { repository, catalog } = await bench.repository();
  const source = openGraphSource(tenant.connect(recording));
  let bytes = 0;
  const engineMs = await timed(async () => {
    const job = { id: 'bench', name: 'bench', selection: MAILBOXES };
    const result = await backUp({ repository, catalog, source, signal: new AbortController().signal }, job);
    if (result.outcome !== 'Success')
      throw new Error(`The backup ended as ${result.outcome}: ${JSON.stringify(result.findings).slice(0, 500)}`);
    bytes = result.counts.bytesRead;
  });
  const bareMs = await timed(() => sendAgain(requests.filter(({ url }) => !url.includes('/oauth2/'))));
  return { engineMs, bareMs, bytes, requests: requests.length };
}

async function sendAgain(requests: readonly Recorded[]): Promise<void> {
  const waiting = [...requests];
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { signal: _, ...init } = next.init;
      const reply = await fetch(next.url, init);
      for await (const chunk of reply.body ?? []) void chunk;
    }
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
}
