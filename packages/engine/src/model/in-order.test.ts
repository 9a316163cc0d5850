import { expect, test } from 'vitest';
import { inOrder } from './in-order.ts';
import { SharedRoom } from './shared-room.ts';

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((next) => setImmediate(next));
};

async function* given(count: number, failure?: Error) {
  for (let value = 0; value < count; value += 1) yield value;
  if (failure !== undefined) throw failure;
}

const roomOf = (room: number, reserve = 0) => new SharedRoom({ room, share: room, reserve });

const ahead = (atOnce: number, room = roomOf(1_000), bytes = 1) => ({
  atOnce: () => atOnce,
  room,
  bytesOf: () => bytes,
});

/** Whether all of a room of so much can be had. */
function isFree(room: SharedRoom, bytes: number): boolean {
  return room.enterNow(room.share(), bytes);
}

test.each([
  // The one that is being used, and those behind it.
  ['in a room', ahead(5), 5],
  // As many as there may be, however long one is used.
  ['by number', 5, 6],
])(
  'results come in the order of the values, whichever ends first, and work goes on while one is being used: %s',
  async (_, ahead, most) => {
    const begun: number[] = [];
    const work = async (value: number) => {
      begun.push(value);
      await turns((7 - (value % 7)) * 2);
      return value;
    };
    const received: number[] = [];
    for await (const value of inOrder(given(30), ahead, work)) {
      await turns(30);
      received.push(value);
      expect(begun.length).toBe(Math.min(30, value + most));
    }
    expect(received).toEqual(Array.from({ length: 30 }, (_, at) => at));
  },
);

test('as many are begun as may be at that time', async () => {
  let atOnce = 2;
  const begun: number[] = [];
  const work = async (value: number) => begun.push(value);
  const ahead = { atOnce: () => atOnce, room: roomOf(1_000), bytesOf: () => 1 };
  for await (const count of inOrder(given(30), ahead, work)) {
    await turns(5);
    expect(begun.length).toBe(Math.min(30, count - 1 + atOnce));
    // The next one begins when this one has been used.
    if (count === 5) atOnce = 6;
    if (count === 20) atOnce = 2;
    if (count >= 20) break;
  }
});

test('several share the room: no more is in memory than fits, and each comes to its end', async () => {
  const room = roomOf(10, 3);
  let inMemory = 0;
  let most = 0;
  const work = async (value: number) => {
    inMemory += 3;
    most = Math.max(most, inMemory);
    await turns(value % 3);
    return value;
  };
  const all = async () => {
    let count = 0;
    for await (const _ of inOrder(given(40), ahead(8, room, 3), work)) {
      await turns(1);
      inMemory -= 3;
      count += 1;
    }
    return count;
  };
  expect(await Promise.all([all(), all(), all()])).toEqual([40, 40, 40]);
  // One of each beside what is shared.
  expect(most).toBeLessThanOrEqual(9 + 3 * 3);
  expect(isFree(room, 10)).toBe(true);
});

test('a failure of one, or of the values, is thrown in its turn, and leaves the room free', async () => {
  const room = roomOf(100);
  const collected = async (values: AsyncIterable<number>, failing: number) => {
    const received: number[] = [];
    const work = async (value: number) => {
      if (value >= failing) throw new Error(`failed ${value}`);
      return value;
    };
    try {
      for await (const value of inOrder(values, ahead(4, room), work)) received.push(value);
    } catch (error) {
      return [...received, error instanceof Error ? error.message : ''];
    }
    return received;
  };
  expect(await collected(given(9), 2)).toEqual([0, 1, 'failed 2']);
  expect(await collected(given(3, new Error('broke off')), 9)).toEqual([0, 1, 2, 'broke off']);
  expect(isFree(room, 100)).toBe(true);
});

test('who leaves early waits for what is worked on, ends the values, and leaves the room free', async () => {
  const room = roomOf(100);
  let isEnded = false;
  let working = 0;
  async function* values() {
    try {
      yield* given(100);
    } finally {
      isEnded = true;
    }
  }
  const work = async (value: number) => {
    working += 1;
    await turns(5);
    working -= 1;
    return value;
  };
  for await (const value of inOrder(values(), ahead(6, room), work)) if (value === 3) break;
  expect([isEnded, working]).toEqual([true, 0]);
  expect(isFree(room, 100)).toBe(true);
});

test('who leaves while he waits for room that others have does not wait for them', async () => {
  const room = roomOf(10);
  const other = room.share();
  await other.enter(8);
  const results = inOrder(given(5), ahead(4, room, 2), async (value) => value);
  expect((await results.next()).value).toBe(0);
  await results.return(undefined);
  other.leave(8);
  await turns(2);
  expect(isFree(room, 10)).toBe(true);
});
