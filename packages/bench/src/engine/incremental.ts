import { backUp } from '@keepwatch/engine/backup/backup';
import type { GraphConnection } from '@keepwatch/engine/source/graph/connection';
import { openGraphSource } from '@keepwatch/engine/source/graph/graph-source';
import { openTransport, type Send } from '@keepwatch/engine/source/graph/requests/transport';
import type { Selection } from '@keepwatch/engine/source/source';
import { ms, printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timed, timingOf } from '../timing.ts';
import type { Bench } from './bench-repository.ts';
import { startBenchTenant } from './bench-tenant.ts';
import { HastenedClock } from './hastened-clock.ts';

const SECONDS_MAX = 1;
const REQUESTS_MAX = 30;
const ROUNDS = 5;
const CHANGES = 10;
const MESSAGES_MIN = 100_000;

/** Between two runs: the limits of the last one's requests (10 minutes) are over. */
const RUN_EVERY_MS = 15 * 60_000;

/** What one run took. */
interface Round {
  ms: number;
  /** As the vendor counts them: each of a batch alone. */
  requests: number;
  onTheWire: number;
}

/**
 * A run that finds 10 changes in a mailbox of 100,000 messages, after a real first backup of it. That takes more than two hours in the
 * tenant, since a mailbox serves 10,000 requests in ten minutes; both sides go by a clock that is set forward instead of waiting.
 */
export async function benchIncremental(bench: Bench, targets: Targets): Promise<void> {
  const tenant = await startBenchTenant('large');
  try {
    const clock = new HastenedClock(tenant.advance);
    const wire = { requests: 0 };
    const send = openTransport();
    const counting: Send = (request) => {
      wire.requests += 1;
      return send(request);
    };
    const connection = tenant.connect(counting, clock);
    const user = await fullMailbox(connection);
    const run = await backupOf(bench, connection, user);
    const begunMs = clock.now();
    const firstMs = await timed(() => run(user.messages));
    const inTenant = `${((clock.now() - begunMs) / 60_000).toFixed(0)} minutes in the tenant`;
    const messages = user.messages.toLocaleString('en');
    process.stdout.write(`First backup of ${messages} messages: ${(firstMs / 1_000).toFixed(0)} s, ${inTenant}\n`);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await clock.setForward(RUN_EVERY_MS);
      await change(connection, user, round);
      const before = (await tenant.traffic()).total;
      wire.requests = 0;
      const ms = await timed(() => run(CHANGES));
      rounds.push({ ms, requests: (await tenant.traffic()).total - before, onTheWire: wire.requests });
    }
    report(rounds, `${CHANGES} changes in ${messages} messages`, targets);
  } finally {
    await tenant.stop();
  }
}

/** A backup of the mailbox, to be run again and again; fails when it reads fewer items than that. */
async function backupOf(bench: Bench, connection: GraphConnection, { id }: FullMailbox) {
  const include = [{ type: 'user', id } as const];
  const selection: Selection = { scope: 'selected', kinds: ['mailbox'], include, exclude: [], personalSites: false };
  const { repository, catalog } = await bench.repository();
  const source = openGraphSource(connection);
  const job = { id: 'bench', name: 'bench', selection };
  return async (itemsMin: number) => {
    const { signal } = new AbortController();
    const { outcome, counts } = await backUp({ repository, catalog, source, signal }, job);
    if (outcome !== 'Success' || counts.itemsRead < itemsMin)
      throw new Error(`The run ended as ${outcome} with ${counts.itemsRead} items.`);
  };
}

/**
 * Requests on the wire count: every folder of a mailbox is asked in every run, since nothing documents that a round over the folders names each in which
 * something changed, and a batch asks twenty of them. As the vendor counts, that is a request each.
 */
function report(rounds: readonly Round[], what: string, targets: Targets): void {
  const took = rounds.map((one) => `${ms(one.ms)} ms, ${one.requests} requests (${one.onTheWire} on the wire)`);
  process.stdout.write(`Runs: ${took.join('; ')}\n`);
  const { medianMs } = timingOf(rounds.map((round) => round.ms));
  const { medianMs: requests } = timingOf(rounds.map((round) => round.requests));
  const { medianMs: onTheWire } = timingOf(rounds.map((round) => round.onTheWire));
  printTable(
    `Targets: under ${SECONDS_MAX} s and under ${REQUESTS_MAX} requests on the wire`,
    [what, 'median ms', 'median requests on the wire', 'as the vendor counts'],
    [
      [
        'incremental run',
        targets.evaluated('incremental run, ms', ms(medianMs), medianMs < SECONDS_MAX * 1_000),
        targets.evaluated('incremental run, requests on the wire', String(onTheWire), onTheWire < REQUESTS_MAX),
        String(requests),
      ],
    ],
  );
}

interface FullMailbox {
  id: string;
  inbox: string;
  messages: number;
}

/** The smallest mailbox whose inbox has enough. */
async function fullMailbox(connection: GraphConnection): Promise<FullMailbox> {
  const found: FullMailbox[] = [];
  const { value: users } = await connection.page({ path: '/users?$top=20&$select=id' });
  for (const { id } of users) {
    const inbox = await connection.ask({ path: `/users/${String(id)}/mailFolders/inbox` }).catch(() => null);
    const messages = Number(inbox?.['totalItemCount'] ?? 0);
    if (messages >= MESSAGES_MIN) found.push({ id: String(id), inbox: String(inbox?.['id']), messages });
  }
  const [smallest] = found.sort((one, other) => one.messages - other.messages);
  if (smallest === undefined) throw new Error(`The tenant has no inbox of ${MESSAGES_MIN} messages.`);
  return smallest;
}

/** Ten messages are marked as read or unread. */
async function change(connection: GraphConnection, { id, inbox }: FullMailbox, round: number): Promise<void> {
  const { value } = await connection.page({
    path: `/users/${id}/mailFolders/${inbox}/messages?$top=${CHANGES}&$skip=${round * CHANGES}&$select=id,isRead`,
  });
  for (const message of value) {
    const body = { isRead: message['isRead'] !== true, categories: [`Round ${round}`] };
    await connection.ask({ method: 'PATCH', path: `/users/${id}/messages/${String(message['id'])}`, body });
  }
}
