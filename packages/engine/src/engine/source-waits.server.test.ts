import { beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { backUp, connect, openSource, planRestore, restore } from '../engine.ts';
import type { EngineEvent } from '../model/engine-event.ts';
import { journalFolder } from '../restore/journal-files.ts';
import { RESTORE_OPTIONS } from '../restore/restore-options.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { JumpingClock } from '../testing/graph/graph-tenant.ts';
import { testFolder, useDatabase } from '../testing/test-parts.ts';
import type { Stored } from './work.ts';

const PAUSE_SECONDS = 300;

const database = useDatabase();
let tenant: RunningTenant;
beforeAll(async () => {
  tenant = await startTenant({ size: 'small', budgets: false });
  return () => tenant.stop();
});

type Waiting = Extract<EngineEvent, { type: 'waiting' }>;

/** A piece of work that hears what happens, and nothing else. */
function listening() {
  const waits: Waiting[] = [];
  const onEvent = (event: EngineEvent) => void (event.type === 'waiting' && event.on === 'source' && waits.push(event));
  return { waits, onEvent, signal: new AbortController().signal };
}

/** One connection for all pieces of work, as a program that lives long has it. */
async function opened() {
  const outside = listening();
  const clock = new JumpingClock(Date.now());
  const { clientId, clientSecret } = tenant.application;
  const options = {
    cloud: 'worldwide',
    tenantId: tenant.tenantId,
    applications: [{ clientId, secret: clientSecret }],
    loginUrl: tenant.loginUrl,
    graphUrl: tenant.graphUrl,
    clock,
    licences: Number.POSITIVE_INFINITY,
  } as const;
  return { connection: await connect(options, outside.onEvent), clock, outside };
}

function peopleWithMailbox(): [first: string, second: string] {
  const [first, second] = tenant.tenant.directory.users.flatMap(({ id, mailbox }) => (mailbox ? [id] : []));
  if (first === undefined || second === undefined) throw new Error('The tenant has fewer than two mailboxes.');
  return [first, second];
}

async function backUpMailbox(
  stored: Stored,
  connection: GraphConnection,
  id: string,
  work = listening(),
): Promise<Waiting[]> {
  const source = await openSource(connection, { keepExchangeStream: false });
  const include = [{ type: 'user', id }] as const;
  const selection = { scope: 'selected', kinds: ['mailbox'], include, exclude: [], personalSites: false } as const;
  const result = await backUp(stored, source, { job: { id, name: id, selection } }, work);
  expect(result.outcome).toBe('Success');
  return work.waits;
}

async function mailboxScope({ repository, catalog }: Stored, id: string) {
  const key = repository.objectKey({ organizationId: tenant.tenantId, kind: 'mailbox', id });
  const object = await catalog.object(key);
  if (object === null) throw new Error('The mailbox was not stored.');
  return { object, revision: object.revision, items: null };
}

const throttle = (path: string, method?: string) =>
  tenant.setFaults([
    { kind: 'throttle', path, times: 1, parameters: { retryAfterSeconds: PAUSE_SECONDS }, ...(method && { method }) },
  ]);

/** Of what is said: that it waits, for whom, and until when. */
const expectOneWait = (waits: readonly Waiting[], clock: JumpingClock) => {
  expect(waits).toHaveLength(1);
  expect(waits[0]?.message).toMatch(/^Waiting 5 min for Microsoft 365 \(organization /);
  expect(waits[0]?.until?.getTime()).toBeLessThanOrEqual(clock.now());
  expect(waits[0]?.until?.getTime()).toBeGreaterThan(clock.now() - PAUSE_SECONDS * 1_000);
};

test('a backup reports its own waits with their end, and neither another backup nor the connection does', async () => {
  const stored = await database.parts();
  const { connection, clock, outside } = await opened();
  const [first, second] = peopleWithMailbox();
  throttle(`/users/${first}/*`, 'GET');
  const [waits, none] = await Promise.all([
    backUpMailbox(stored, connection, first),
    backUpMailbox(stored, connection, second),
  ]);
  expectOneWait(waits, clock);
  expect(none).toEqual([]);
  expect(outside.waits).toEqual([]);
});

test('a restore and its plan report their own waits', async () => {
  const stored = await database.parts();
  const { connection, clock, outside } = await opened();
  const [first] = peopleWithMailbox();
  expect(await backUpMailbox(stored, connection, first)).toEqual([]);
  const order = {
    scope: await mailboxScope(stored, first),
    options: { ...RESTORE_OPTIONS, into: 'Restored' },
    journals: journalFolder(await testFolder()),
  };
  for (const begin of [planRestore, restore]) {
    const work = listening();
    throttle(`/users/${first}/*`);
    await begin(stored, connection, order, work);
    expectOneWait(work.waits, clock);
  }
  expect(outside.waits).toEqual([]);
});

test('what is asked outside of a piece of work reports its waits where the connection was opened', async () => {
  const { connection, clock, outside } = await opened();
  throttle('/users*');
  await connection.ask({ path: '/users?$top=1&$select=id' });
  expectOneWait(outside.waits, clock);
});
