import { restoreMailboxToAnother } from '@keepwatch/contract/restore/mailboxes';
import { listRestoreOperationItems, readRestoreOperation } from '@keepwatch/contract/restore/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../../foundation/database.ts';
import type { Caller } from '../../testing/test-portal.ts';
import type { RestoreServices } from '../restore-services.ts';
import { openSessions } from '../testing/operator-bed.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { tidy } from '../tidy.ts';
import { dropMendedItems } from './operation-items.ts';
import { OperationReport } from './operation-report.ts';
import { NO_PARTS, NOTHING_DONE } from './restore-order.ts';
import { runRestore } from './run-restore.ts';

const NEVER = new AbortController().signal;
const GONE = sql`jsonb_set(restore_order, '{parts,0,scope,object}', '"gone"')`;

let bed: RestoreBed;
let caller: Caller;
let people: { id: string; address: string | null }[];
let restoreSessionId: string;

beforeAll(async () => {
  bed = await startRestoreBed({ users: 4 });
  caller = await bed.asAdministrator();
  people = (await bed.stored.catalog.findObjects({ kinds: ['mailbox'], limit: 10 })).rows.filter(
    ({ owner }) => owner === null || owner.startsWith('user/'),
  );
  restoreSessionId = (await openSessions(bed, caller)).vex;
});
afterAll(() => bed.stop());
beforeEach(() => bed.tenant.setFaults([]));

let folders = 0;

async function orderOf(place: number): Promise<string> {
  folders += 1;
  const params = { restoreSessionId, mailboxId: people[place]?.id ?? '' };
  const { data } = await caller.call(restoreMailboxToAnother, { params, body: { folder: `Back ${folders}` } });
  return data.id;
}

/** One restore of these mailboxes, as the site of a team has several libraries. */
async function orderOfAll(...places: number[]): Promise<string> {
  const [first = '', ...others] = await Promise.all(places.map(orderOf));
  bed.sent.splice(0);
  for (const other of others)
    await execute(
      bed.services.database,
      sql`update restore_operations a set restore_order = jsonb_set(a.restore_order, '{parts}', a.restore_order->'parts' || (b.restore_order->'parts'))
          from restore_operations b where a.id = ${first} and b.id = ${other}`,
    );
  return first;
}

const change = (id: string, order: typeof GONE) =>
  execute(bed.services.database, sql`update restore_operations set restore_order = ${order} where id = ${id}`);
const run = (id: string, services: Partial<RestoreServices> = {}, signal = NEVER) =>
  runRestore({ ...bed.services, ...services }, { providerId: 1, id }, signal);
const read = async (operationId: string) => (await caller.call(readRestoreOperation, { params: { operationId } })).data;
const itemsOf = async (operationId: string, outcome: string) =>
  (await caller.call(listRestoreOperationItems, { params: { operationId }, query: { outcome, limit: 1_000 } })).count;

/** Services of a program that ends where the first journal is to be opened. */
function ending(): { services: Partial<RestoreServices>; signal: AbortSignal } {
  const program = new AbortController();
  const restoreJournals = async () => {
    program.abort(new Error('The program is being stopped.'));
    throw program.signal.reason;
  };
  return { services: { restoreJournals }, signal: program.signal };
}

describe('a restore of several objects', () => {
  it('that is gone on with by another worker ends as all of its parts did, also those before', async () => {
    const id = await orderOfAll(0, 1);
    await change(id, GONE);
    const { services, signal } = ending();
    await expect(run(id, services, signal)).rejects.toThrow('being stopped');
    expect(await read(id)).toMatchObject({ state: 'Running' });
    await run(id);
    expect(await read(id)).toMatchObject({ state: 'Warning', message: expect.stringContaining('not found') });
  });

  it('is no success when its only part failed and the end could not be stored at first', async () => {
    const id = await orderOfAll(0);
    await change(id, GONE);
    let asked = 0;
    const now = () => {
      asked += 1;
      if (asked > 1) throw new Error('The connection was lost.');
      return new Date();
    };
    await expect(run(id, { now })).rejects.toThrow('lost');
    await run(id);
    expect(await read(id)).toMatchObject({ state: 'Failed', message: expect.stringContaining('not found') });
  });

  it('names the items that failed of each part, also when the next one has an item of the same id that came back', async () => {
    const key = { providerId: 1, id: await orderOfAll(0, 1) };
    const { database } = bed.services;
    const failed = {
      type: 'item',
      id: 'same',
      kind: 'file',
      name: 'Offer.docx',
      path: [],
      bytes: 0,
      losses: [],
    } as const;
    const report = new OperationReport(database, key, NO_PARTS);
    report.took({ ...failed, outcome: 'failed', reason: 'The name is not accepted.' });
    await report.endPart({ outcome: 'Warning', counts: { ...NOTHING_DONE, failed: 1 }, message: null });
    report.took({ ...failed, outcome: 'failed', reason: 'Microsoft did not answer.' });
    await report.flush();
    expect(await itemsOf(key.id, 'failed')).toBe(2);
    await dropMendedItems(database, key, report.parts().parts, []);
    expect(await itemsOf(key.id, 'failed')).toBe(1);
  });

  it('does not count again what the attempt before had counted of a part', async () => {
    const id = await orderOfAll(0, 1);
    await run(id);
    const { done, bytes } = await read(id);
    const again = await orderOfAll(0, 1);
    let opened = 0;
    const program = new AbortController();
    const restoreJournals: RestoreServices['restoreJournals'] = async (stored) => {
      opened += 1;
      if (opened < 2) return bed.services.restoreJournals(stored);
      // What a report in the middle of the second part writes.
      const figures = sql`progress || '{"done": 1000, "bytes": 1000}'::jsonb`;
      await execute(
        bed.services.database,
        sql`update restore_operations set progress = ${figures} where id = ${again}`,
      );
      program.abort(new Error('The program is being stopped.'));
      throw program.signal.reason;
    };
    await expect(run(again, { restoreJournals }, program.signal)).rejects.toThrow('being stopped');
    await run(again);
    expect(await read(again)).toMatchObject({ done, bytes });
  });
});

describe('a restore that no worker brings to its end', () => {
  it('is not begun by a fourth worker when three ended with it', async () => {
    const id = await orderOfAll(0);
    await execute(
      bed.services.database,
      sql`update restore_operations set claims = 3, state = 'Running' where id = ${id}`,
    );
    await run(id);
    expect(await read(id)).toMatchObject({ state: 'Failed', message: expect.stringContaining('ended unexpectedly') });
  });

  it('does not count workers that gave it back', async () => {
    const id = await orderOfAll(0);
    for (let worker = 0; worker < 5; worker += 1) {
      const { services, signal } = ending();
      await expect(run(id, services, signal)).rejects.toThrow('being stopped');
    }
    await run(id);
    expect(await read(id)).toMatchObject({ state: 'Success' });
  });

  it('ends when the queue can have it no more', async () => {
    const [old, recent] = [await orderOfAll(0), await orderOfAll(0)];
    await execute(
      bed.services.database,
      sql`update restore_operations set created_at = now() - interval '9 days' where id = ${old}`,
    );
    await tidy(bed.services, NEVER);
    expect(await read(old)).toMatchObject({ state: 'Failed', message: expect.stringContaining('8 days') });
    expect(await read(recent)).toMatchObject({ state: 'Queued' });
  });
});

describe('a restore whose connection to the database is lost', () => {
  const claims = sql`from pg_locks where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())`;

  it('goes on with another one, and neither fails nor does anything twice', async () => {
    const { database } = bed.services;
    const whole = await orderOfAll(0);
    await run(whole);
    const id = await orderOfAll(0);
    bed.tenant.setFaults([{ kind: 'slow', method: 'POST', parameters: { chunkBytes: 256, intervalMs: 50 } }]);
    const running = run(id);
    await expect.poll(async () => (await read(id)).done).toBeGreaterThan(0);
    expect(await rows(database, sql`select pg_terminate_backend(pid) ${claims}`)).not.toEqual([]);
    bed.tenant.setFaults([]);
    await running;
    const { done, restored } = await read(whole);
    expect(await read(id)).toMatchObject({ state: 'Success', done, restored, failed: 0 });
  });

  it('is repeated by the queue where the database does not answer at all', async () => {
    const id = await orderOfAll(0);
    const restoreJournals = () => Promise.reject(new Error('Connection terminated unexpectedly'));
    await expect(run(id, { restoreJournals })).rejects.toThrow('terminated');
    expect(await read(id)).toMatchObject({ state: 'Running' });
    await run(id);
    expect(await read(id)).toMatchObject({ state: 'Success' });
  });
});

describe('two restores into one mailbox', () => {
  it('take turns: the second one waits for the first, and does not fail', async () => {
    const { database } = bed.services;
    const id = await orderOfAll(0);
    const into = `mailbox/${bed.organization.tenantId}/${people[0]?.id}`;
    const first = await bed.stored.catalog.claimTarget(into, 'a mailbox');
    const waiting = async () =>
      (
        await row<{ count: number }>(
          database,
          sql`select count(*) as count from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
        )
      )?.count;
    const second = run(id);
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    // The engine waits for two seconds, and says then that another restore writes there.
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
    expect(await read(id)).toMatchObject({ state: 'Running' });
    first.end();
    await second;
    expect(await read(id)).toMatchObject({ state: 'Success' });
  });

  it('are one after the other in the queue, and a plan waits for neither', async () => {
    const params = { restoreSessionId, mailboxId: people[0]?.id ?? '' };
    await orderOf(0);
    await orderOf(0);
    await orderOf(1);
    await caller.call(restoreMailboxToAnother, { params, body: { folder: 'Back', planOnly: true } });
    const targets = bed.sent.splice(0).map(({ payload }) => (payload as { target?: string }).target);
    expect(targets[0]).toBeDefined();
    expect(targets[1]).toBe(targets[0]);
    expect(targets[2]).not.toBe(targets[0]);
    expect(targets[3]).toBeUndefined();
  });
});

it('forgets the token of a sign-in that has ended', async () => {
  const { database } = bed.services;
  const left = () => row<{ count: number }>(database, sql`select count(*) as count from restore_sign_ins`);
  expect(await left()).toEqual({ count: 1 });
  await tidy({ ...bed.services, now: () => new Date(Date.now() + 2 * 3_600_000) }, NEVER);
  expect(await left()).toEqual({ count: 0 });
  await bed.prove(caller, 'administrator');
});
