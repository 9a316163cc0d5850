import { expect, test } from 'vitest';
import { type RoomShare, SharedRoom } from './shared-room.ts';

const SIZES = { room: 100, share: 60, reserve: 10 };

/** Enters and notes that it did, in the order of entering. */
function entering(log: string[], name: string, share: RoomShare, amount: number): Promise<void> {
  return share.enter(amount).then(() => void log.push(name));
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('never has more in it than the room and a reserve for each', () => {
  const room = new SharedRoom(SIZES);
  const shares = Array.from({ length: 4 }, () => room.share());
  let entered = 0;
  for (let round = 0; round < 50; round += 1) for (const share of shares) if (share.enterNow(7)) entered += 7;
  expect(entered).toBeLessThanOrEqual(SIZES.room + 4 * SIZES.reserve);
  expect(entered).toBeGreaterThan(SIZES.room);
});

test('leaves each its reserve, whatever the others have and never give back', async () => {
  const room = new SharedRoom(SIZES);
  const stuck = [room.share(), room.share()];
  for (const share of stuck) while (share.enterNow(10));
  const other = room.share();
  for (let round = 0; round < 1_000; round += 1) {
    await other.enter(10);
    other.leave(10);
  }
});

test('has one alone take a part of the room, so that the next does not begin with nothing', () => {
  const room = new SharedRoom(SIZES);
  const [one, other] = [room.share(), room.share()];
  let [entered, enteredByOther] = [0, 0];
  while (one.enterNow(10)) entered += 10;
  while (other.enterNow(10)) enteredByOther += 10;
  expect([entered, enteredByOther]).toEqual([70, 50]);
});

test('lets in first whose share has the least, and of one share in order', async () => {
  const room = new SharedRoom({ room: 100, share: 100, reserve: 0 });
  const [greedy, modest] = [room.share(), room.share()];
  await greedy.enter(70);
  await modest.enter(30);
  const log: string[] = [];
  const all = [
    entering(log, 'greedy 1', greedy, 20),
    entering(log, 'greedy 2', greedy, 20),
    entering(log, 'modest 1', modest, 20),
    entering(log, 'modest 2', modest, 20),
  ];
  for (const leaves of [greedy, greedy, greedy, modest]) {
    leaves.leave(20);
    await settled();
  }
  await Promise.all(all);
  expect(log).toEqual(['modest 1', 'greedy 1', 'greedy 2', 'modest 2']);
});

test('lets something larger than the room in alone, and is not passed by small ones for ever', async () => {
  const room = new SharedRoom({ room: 100, share: 60, reserve: 5 });
  const [large, small] = [room.share(), room.share()];
  await small.enter(50);
  const log: string[] = [];
  const one = entering(log, 'large', large, 1_000);
  const two = entering(log, 'small', small, 10);
  await settled();
  expect(log).toEqual([]);
  // Its reserve is its own.
  expect(small.enterNow(5)).toBe(true);
  small.leave(5);
  small.leave(50);
  await one;
  await settled();
  expect(log).toEqual(['large']);
  large.leave(1_000);
  await two;
  expect(large.used + small.used).toBe(10);
});

test('counts the room to zero again after any order of entering and leaving', async () => {
  const room = new SharedRoom(SIZES);
  const share = room.share();
  const amounts = [3, 200, 8, 45, 10, 60];
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      amounts.map(async (amount) => {
        await share.enter(amount);
        await settled();
        share.leave(amount);
      }),
    );
    expect(share.used).toBe(0);
  }
  expect(room.share().enterNow(100)).toBe(true);
  expect(share.enterNow(10)).toBe(true);
});

test('frees what failed work had', async () => {
  const share = new SharedRoom({ room: 10, share: 10, reserve: 0 }).share();
  await expect(share.during(10, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(share.during(10, async () => 'yes')).resolves.toBe('yes');
});
