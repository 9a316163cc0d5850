import { expect, test } from 'vitest';
import { memoryStore } from '../memory-store.fixture.ts';
import type { ObjectStore } from '../object-store.ts';
import { Pace } from './pace.ts';
import { ThrottleStore } from './throttle-store.ts';

/** Time passes only while the code under test waits. */
function clockOfTest() {
  const clock = {
    atMs: 1_000,
    waits: [] as number[],
    nowMs: () => clock.atMs,
    async wait(ms: number) {
      clock.waits.push(ms);
      clock.atMs += ms;
    },
  };
  return clock;
}

test('sends no more bytes a second than it may, whatever their sizes and directions', async () => {
  const clock = clockOfTest();
  const limits = { requestsAtOnce: 4, bytesPerSecond: 1_000 };
  const store = new ThrottleStore(memoryStore().store, limits, new Pace(1_000, clock));
  await store.create('a', Buffer.alloc(5_000));
  expect(clock.waits).toEqual([]);
  await store.read('a');
  expect(clock.waits).toEqual([5_000]);
  await store.readRange('a', 0, 500);
  expect(clock.waits).toEqual([5_000, 5_000]);
  await store.create('b', Buffer.alloc(0));
  expect(clock.waits).toEqual([5_000, 5_000, 500]);
});

test('does not save up what was not used', async () => {
  const clock = clockOfTest();
  const pace = new Pace(1_000, clock);
  await pace.spend(1_000);
  clock.atMs += 60_000;
  await pace.spend(1_000);
  await pace.spend(1_000);
  expect(clock.waits).toEqual([1_000]);
});

test('never waits without a limit', async () => {
  const clock = clockOfTest();
  const pace = new Pace(null, clock);
  await pace.spend(2 ** 40);
  await pace.spend(2 ** 40);
  expect(clock.waits).toEqual([]);
});

test('has no more calls under way than it may, and serves all', async () => {
  const { store: memory, objects } = memoryStore();
  let underWay = 0;
  let most = 0;
  const counting: ObjectStore = {
    ...memory,
    async create(name, bytes) {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return memory.create(name, bytes);
    },
  };
  const store = new ThrottleStore(counting, { requestsAtOnce: 3, bytesPerSecond: null });
  await Promise.all(Array.from({ length: 50 }, (_, index) => store.create(`${index}`, Buffer.from('x'))));
  expect(objects.size).toBe(50);
  expect(most).toBe(3);
});
