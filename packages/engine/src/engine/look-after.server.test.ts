import { expect, test } from 'vitest';
import { backUp, createRepository, erase, extendLocks, planErasure, prune } from '../engine.ts';
import type { EngineEvent } from '../model/engine-event.ts';
import { lockingStore } from '../store/s3/locking-store.fixture.ts';
import { Random } from '../testing/random.ts';
import { CHEAP, PASSWORD, SMALL_CHUNKS, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;

/** Two mailboxes in a bucket that locks what is written for 30 days. */
async function bed() {
  const { clock, store } = await lockingStore();
  const repository = await createRepository(store, PASSWORD, { passwordCost: CHEAP, chunkSizes: SMALL_CHUNKS });
  const stored = { repository, catalog: await database.catalog().repository(repository.id) };
  const events: EngineEvent[] = [];
  const work = { signal: new AbortController().signal, onEvent: (event: EngineEvent) => void events.push(event) };
  const random = new Random(4);
  const mailboxes = ['ada', 'bob'].map((id) => {
    const mailbox = new WrittenObject(id);
    const contents = { mime: random.bytes(20_000) };
    mailbox.put('m', { kind: 'message', name: `Mail of ${id}`, parentId: null, contents });
    return mailbox;
  });
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  await backUp(stored, new WrittenSource(...mailboxes), { job }, work);
  events.length = 0;
  return { stored, work, events, clock };
}

test('a program erases a user and learns what is locked until when, as events and as a result', async () => {
  const { stored, work, events } = await bed();
  const subject = { type: 'user', id: 'ada' } as const;
  const plan = await planErasure(stored, subject, work.signal);
  expect(plan).toMatchObject({ items: 1, objects: [{ id: 'ada' }] });
  const result = await erase(stored, { subject, reason: 'Request 17', by: 'Grace' }, work);
  expect(result).toMatchObject({ items: 1, bytes: plan.bytes, packs: 1, packsLocked: 1 });
  expect(Math.round(((result.lockedUntil?.getTime() ?? 0) - Date.now()) / DAY_MS)).toBe(30);
  expect(events).toContainEqual({ type: 'phase', phase: 'erasing' });
  expect(events.some(({ type }) => type === 'progress')).toBe(true);
  expect((await stored.catalog.findObjects({ limit: 10 })).rows.map(({ id }) => id)).toEqual(['bob']);
  expect(await stored.catalog.listErasures()).toMatchObject([{ by: 'Grace', reason: 'Request 17' }]);
  await expect(planErasure(stored, subject, work.signal)).rejects.toMatchObject({
    code: 'not-found',
    remedy: 'list-objects',
  });
});

test('a program locks again what is in use, and prunes jobs by days of their own', async () => {
  const { stored, work, events, clock } = await bed();
  expect(await extendLocks(stored, work)).toEqual({ unlocked: 0, extended: 0 });
  clock.aheadMs = 20 * DAY_MS;
  const { extended = 0 } = (await extendLocks(stored, work)) ?? {};
  expect(extended).toBeGreaterThan(3);
  expect(await extendLocks(stored, work)).toEqual({ unlocked: 0, extended: 0 });
  expect(events).toContainEqual({ type: 'phase', phase: 'locking' });
  clock.aheadMs = 0;
  const pruned = await prune(stored, { keepDaysOf: new Map([['job', 3]]) }, work);
  expect(pruned.jobs.map(({ job }) => job)).toEqual(['job']);
});

test('a store without locks has nothing to extend', async () => {
  const { repository, catalog } = await database.parts();
  const work = { signal: new AbortController().signal, onEvent: () => undefined };
  expect(await extendLocks({ repository, catalog }, work)).toBeNull();
});
