import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ItemScope } from '../browse/item-scope.ts';
import { backUp, exportItems, planRestore, prune, rebuild, restore, verify, waitsOf } from '../engine.ts';
import { EngineError } from '../model/engine-error.ts';
import type { EngineEvent } from '../model/engine-event.ts';
import { createRepository, openRepository } from '../repository/open-repository.ts';
import { journalFolder } from '../restore/journal-files.ts';
import { RESTORE_OPTIONS } from '../restore/restore-options.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { connectedCatalog } from '../testing/graph/connected-catalog.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { SlowStore } from '../testing/slow-store.ts';
import { CHEAP, PASSWORD, testFolder } from '../testing/test-parts.ts';
import type { Stored, Work } from './work.ts';

/** Everything that is asked of them takes far longer than it may take to stop. */
const SLOW_MS = 20_000;
const LIMIT_MS = 1_000;

const { tenant, connection, catalog, database } = await connectedCatalog();

/** Graph answers nothing from now on. */
const hang = (path?: string) => tenant.setFaults([{ kind: 'hang', ...(path === undefined ? {} : { path }) }]);

interface Bed {
  store: SlowStore;
  stored: Stored;
  folder: string;
  scope: ItemScope;
}

/** A mailbox of the tenant, backed up into a store that is quick until it is made slow. */
async function backedUp(): Promise<Bed> {
  tenant.setFaults([]);
  const folder = await testFolder();
  const plain = await openFolderStore(join(folder, 'repository'));
  await createRepository(plain, PASSWORD, { passwordCost: CHEAP });
  const store = new SlowStore(plain);
  const repository = await openRepository(store, PASSWORD, { passwordCost: CHEAP });
  const stored = { repository, catalog: await catalog.repository(repository.id) };
  const { result, object } = await backUpOne(stored, {
    signal: new AbortController().signal,
    onEvent: () => undefined,
  });
  expect(result.outcome).toBe('Success');
  const found = await stored.catalog.object(object);
  if (found === null) throw new Error('The mailbox was not stored.');
  return { store, stored, folder, scope: { object: found, revision: found.revision, items: null } };
}

async function backUpOne(stored: Stored, work: Work) {
  const source = openGraphSource(connection, { keepExchangeStream: false });
  const person = tenant.tenant.directory.users.find(({ mailbox }) => mailbox);
  if (person === undefined) throw new Error('The tenant has no mailbox.');
  const selection = {
    scope: 'selected',
    kinds: ['mailbox'],
    include: [{ type: 'user', id: person.id }],
    exclude: [],
    personalSites: false,
  } as const;
  const result = await backUp(stored, source, { job: { id: 'job', name: 'Job', selection } }, work);
  const organizationId = connection.tenantId;
  return { result, object: stored.repository.objectKey({ organizationId, kind: 'mailbox', id: person.id }) };
}

interface Stopping extends Work {
  /** To be called when the work is where it is to be stopped. */
  underWay(): void;
}

/** Stops a piece of work once it is under way. @returns how it ended, and how long after the signal */
async function stopped<Result>(begin: (work: Stopping) => Promise<Result>) {
  const stopping = new AbortController();
  const underWay = Promise.withResolvers<void>();
  const events: EngineEvent[] = [];
  const ended = begin({
    signal: stopping.signal,
    onEvent: (event) => void events.push(event),
    underWay: () => underWay.resolve(),
  }).then(
    (result) => ({ result, error: null, atMs: performance.now() }),
    (error: unknown) => ({ result: null, error, atMs: performance.now() }),
  );
  await Promise.race([underWay.promise, ended]);
  // Time for the request to be on its way.
  await pause(100);
  const stoppedMs = performance.now();
  const reason = new EngineError('stopped', 'Stopped on request.');
  stopping.abort(reason);
  const { result, error, atMs } = await ended;
  expect(atMs, 'it ended before the signal').toBeGreaterThan(stoppedMs);
  return { result, error, reason, events, afterMs: atMs - stoppedMs };
}

test('a backup ends while Microsoft 365 does not answer, as Stopped, and the next one goes on', async () => {
  const { stored } = await backedUp();
  tenant.evolve(200);
  hang();
  const { result, afterMs, events } = await stopped(async (work) => {
    setTimeout(work.underWay, 500);
    return (await backUpOne(stored, work)).result;
  });
  expect(afterMs).toBeLessThan(LIMIT_MS);
  expect(result?.outcome).toBe('Stopped');
  expect(events).toContainEqual({ type: 'phase', phase: 'reading' });
  tenant.setFaults([]);
  const next = await backUpOne(stored, { signal: new AbortController().signal, onEvent: () => undefined });
  expect(next.result.outcome).toBe('Success');
});

test('a backup ends while the token is waited for', async () => {
  const { stored } = await backedUp();
  const fresh = await startConnected({ budgets: false });
  fresh.tenant.setFaults([{ kind: 'hang', path: '*token*' }]);
  const source = openGraphSource(fresh.connection, {});
  const selection = {
    scope: 'everything',
    kinds: ['mailbox'],
    include: [],
    exclude: [],
    personalSites: false,
  } as const;
  const { afterMs } = await stopped((work) => {
    setTimeout(work.underWay, 300);
    return backUp(stored, source, { job: { id: 'job', name: 'Job', selection } }, work);
  });
  await fresh.tenant.stop();
  expect(afterMs).toBeLessThan(LIMIT_MS);
});

test('a backup ends while it follows what others wrote into a slow store', async () => {
  const { store, stored } = await backedUp();
  const { error, reason, afterMs } = await stopped((work) => {
    store.onRead = work.underWay;
    store.readMs = SLOW_MS;
    return backUpOne(stored, work);
  });
  expect(error).toBe(reason);
  expect(afterMs).toBeLessThan(LIMIT_MS);
});

const order = (scope: ItemScope, folder: string) => ({
  scope,
  options: { ...RESTORE_OPTIONS, into: 'Restored' },
  journals: journalFolder(join(folder, 'restores')),
});

test('a restore ends while Microsoft 365 does not answer, as Stopped, and goes on', async () => {
  const { stored, scope, folder } = await backedUp();
  const { result, error, afterMs } = await stopped((work) => {
    const onEvent = (event: EngineEvent) => {
      if (event.type !== 'progress' || event.done < 3) return;
      hang();
      work.underWay();
    };
    return restore(stored, connection, order(scope, folder), { ...work, onEvent });
  });
  expect(error).toBe(null);
  expect(result).toMatchObject({ outcome: 'Stopped', failed: 0 });
  expect(afterMs).toBeLessThan(LIMIT_MS);
  tenant.setFaults([]);
  const work = { signal: new AbortController().signal, onEvent: () => undefined };
  const again = await restore(stored, connection, order(scope, folder), work);
  expect(again).toMatchObject({ failed: 0, notBegun: 0, stoppedBy: null });
  expect(again.restored).toBeGreaterThan(result?.restored ?? 0);
});

test('a restore, its plan and an export end while the store does not answer', async () => {
  const { store, stored, scope, folder } = await backedUp();
  const slow = (work: Stopping) => {
    store.onRead = work.underWay;
    store.readMs = SLOW_MS;
    // What another one asked for already is not asked for again.
    setTimeout(work.underWay, 500);
  };
  const restored = await stopped((work) => {
    slow(work);
    return restore(stored, connection, order(scope, folder), work);
  });
  expect(restored.result).toMatchObject({ outcome: 'Stopped' });
  const planned = await stopped((work) => {
    slow(work);
    return planRestore(stored, connection, order(scope, folder), work);
  });
  const exported = await Promise.all(
    (['pst', 'zip'] as const).map((format) =>
      stopped((work) => {
        slow(work);
        return exportItems(stored, { scope, path: join(folder, `all.${format}`), format }, work);
      }),
    ),
  );
  const [pst, zip] = exported;
  for (const [name, ended] of Object.entries({ restored, planned, pst, zip }))
    expect(ended?.afterMs, name).toBeLessThan(LIMIT_MS);
  for (const { error, reason } of exported) expect(error).toBe(reason);
});

test('a verify ends in the middle of a pack, a prune and a rebuild in the middle of a list, and their locks are free', async () => {
  const { store, stored } = await backedUp();
  const works: [name: string, slowAt: string, begin: (work: Work) => Promise<unknown>][] = [
    ['verify, listing', 'packs/', (work) => verify(stored, { depth: 'full' }, work)],
    ['verify, reading', 'packs/0', (work) => verify(stored, { depth: 'full' }, work)],
    ['prune', 'journals/', (work) => prune(stored, { keepDays: 0 }, work)],
    ['rebuild', 'journals/', (work) => rebuild(stored, {}, work)],
  ];
  for (const [name, , begin] of works) {
    const { error, reason, afterMs } = await stopped((work) => {
      store.onRead = work.underWay;
      store.readMs = SLOW_MS;
      return begin(work);
    });
    store.readMs = 0;
    expect(error, name).toBe(reason);
    expect(afterMs, name).toBeLessThan(LIMIT_MS);
    const locks = [];
    for await (const lock of stored.repository.listLocks()) locks.push(lock);
    expect(locks, name).toEqual([]);
  }
  const work = { signal: new AbortController().signal, onEvent: () => undefined };
  expect(await verify(stored, { depth: 'full' }, work)).toMatchObject({ packFaults: [], journalFaults: [] });
});

test('a search and a count of what a prune would take away end while the database works on them, which gives them up', async () => {
  const { stored } = await backedUp();
  const { repository } = stored;
  const blocker = await openBlocker(['objects', 'search_entries', 'item_versions']);
  const searched = await stopped((work) => {
    setTimeout(work.underWay, 300);
    return stored.catalog.search({ text: 'a', organizationId: connection.tenantId, limit: 10 }, work.signal);
  });
  const counted = await stopped(async (work) => {
    setTimeout(work.underWay, 300);
    return (await catalog.repository(repository.id, await waitsOf(work))).expirable(new Date());
  });
  for (const { error, reason, afterMs } of [searched, counted]) {
    expect(error).toBe(reason);
    expect(afterMs).toBeLessThan(LIMIT_MS);
  }
  await expect.poll(() => blocker.waiting()).toBe(0);
  await blocker.end();
});

/** Locks tables, so that whatever is asked of them waits. */
async function openBlocker(tables: readonly string[]) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  for (const table of tables) await client.query(`LOCK TABLE engine.${table} IN ACCESS EXCLUSIVE MODE`);
  return {
    async waiting(): Promise<number> {
      const { rows } = await client.query<{ waiting: number }>(
        "SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      return rows[0]?.waiting ?? 0;
    },
    async end(): Promise<void> {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}
