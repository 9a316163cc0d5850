import { expect, test } from 'vitest';
import { SharedRoom } from './shared-room.ts';

const turn = () => new Promise((next) => setImmediate(next));

/** How many of them have entered by now. */
async function entered(entering: readonly Promise<unknown>[]): Promise<number> {
  let count = 0;
  for (const one of entering)
    one.then(() => {
      count += 1;
    });
  await turn();
  return count;
}

test('one run alone has the room and no more', async () => {
  const run = new SharedRoom(10).join();
  expect(await entered([run.enter(4), run.enter(6), run.enter(1)])).toBe(2);
});

test('a run that has nothing gets what it asks for, also while another has all of the room', async () => {
  const room = new SharedRoom(10);
  const [hung, other] = [room.join(), room.join()];
  await hung.enter(10);
  for (let round = 0; round < 3; round += 1) {
    const leave = await other.enter(50);
    const second = other.enter(1);
    expect(await entered([second])).toBe(0);
    leave();
    (await second)();
  }
  await turn();
  expect(await entered([other.enter(3), other.enter(3)])).toBe(1);
});

test('all that was given back can be had again, whichever run waited for it', async () => {
  const room = new SharedRoom(10);
  const runs = [room.join(), room.join(), room.join()];
  let most = 0;
  let inside = 0;
  const use = async (run: (typeof runs)[number], amount: number) => {
    const leave = await run.enter(amount);
    inside += amount;
    most = Math.max(most, inside);
    await turn();
    inside -= amount;
    leave();
  };
  await Promise.all(runs.flatMap((run) => Array.from({ length: 50 }, (_, number) => use(run, 1 + (number % 5)))));
  expect(most).toBeLessThanOrEqual(10 + 3 * 5);
  await turn();
  const last = room.join();
  expect(await entered([last.enter(10), last.enter(1)])).toBe(1);
});
