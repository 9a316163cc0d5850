import { describe, expect, test } from 'vitest';
import { JumpingClock } from '../../../testing/graph/graph-tenant.ts';
import { Budget, PlaceRetained } from './budget.ts';
import { Limits } from './limits.ts';
import { RollingCount } from './rolling-count.ts';

const ONE = { requests: 1, units: 1 };
const MINUTE = 60_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('A budget', () => {
  test('lets in as many as it has places, and the others in the order in which they came', async () => {
    const budget = new Budget({ atOnce: 2, requests: [], units: [] }, new JumpingClock());
    const entered: number[] = [];
    const leaves: (() => void)[] = [];
    const all = [0, 1, 2, 3, 4].map(async (number) => {
      leaves.push(await budget.enter(ONE, undefined));
      entered.push(number);
    });
    await turn();
    expect(entered).toEqual([0, 1]);
    for (let left = 0; left < 5; left += 1) {
      leaves[left]?.();
      leaves[left]?.(); // a place is given back once
      await turn();
      expect(entered).toEqual([0, 1, 2, 3, 4].slice(0, left + 3));
    }
    await Promise.all(all);
  });

  test('forgets who gives up in the line or during a pause, and keeps no place for him', async () => {
    const clock = new JumpingClock();
    const budget = new Budget({ atOnce: 1, requests: [], units: [] }, clock);
    const leave = await budget.enter(ONE, undefined);
    const stop = new AbortController();
    const waiting = budget.enter(ONE, stop.signal);
    stop.abort(new Error('Stopped.'));
    await expect(waiting).rejects.toThrow('Stopped.');
    leave();
    budget.pauseUntil(clock.now() + MINUTE);
    await expect(budget.enter(ONE, stop.signal)).rejects.toThrow('Stopped.');
    (await budget.enter(ONE, undefined))();
    expect(clock.sleeps).toEqual([MINUTE]);
  });

  test('gives several places at once to who needs them, is not passed meanwhile, and never more than it has', async () => {
    const budget = new Budget({ atOnce: 4, requests: [], units: [] }, new JumpingClock());
    const leave = await budget.enter(ONE, undefined);
    const entered: string[] = [];
    const enter = async (name: string, places: number, signal?: AbortSignal) => {
      const left = await budget.enter({ requests: places, units: 0, places }, signal);
      entered.push(name);
      return left;
    };
    const all = enter('all', 20);
    const one = enter('one', 1);
    await turn();
    expect([entered, budget.freePlaces]).toEqual([[], 0]);
    leave();
    const leaveAll = await all;
    expect(entered).toEqual(['all']);
    leaveAll();
    await one;
    const stop = new AbortController();
    const stopped = enter('stopped', 4, stop.signal);
    const behind = enter('behind', 2);
    stop.abort(new Error('Stopped.'));
    await expect(stopped).rejects.toThrow('Stopped.');
    await behind;
    expect(entered).toEqual(['all', 'one', 'behind']);
  });

  test('turns away who needs several places while a stream retains one, also those that wait', async () => {
    const budget = new Budget({ atOnce: 4, requests: [], units: [] }, new JumpingClock());
    const several = { requests: 4, units: 0, places: 4 };
    const leave = await budget.enter(ONE, undefined);
    const waiting = budget.enter(several, undefined);
    const behind = budget.enter(ONE, undefined);
    const release = budget.retain();
    await expect(waiting).rejects.toThrow(PlaceRetained);
    (await behind)();
    await expect(budget.enter(several, undefined)).rejects.toThrow(PlaceRetained);
    (await budget.enter(ONE, undefined))();
    release();
    leave();
    (await budget.enter(several, undefined))();
    expect(budget.freePlaces).toBe(4);
  });

  test('obeys the longest of the pauses it was asked for, to the millisecond', async () => {
    const clock = new JumpingClock();
    const budget = new Budget({ atOnce: 4, requests: [], units: [] }, clock);
    const beganMs = clock.now();
    budget.pauseUntil(beganMs + 17_003);
    budget.pauseUntil(beganMs + 2_000);
    expect(budget.load).toBeGreaterThan(17_000);
    await budget.enter(ONE, undefined);
    expect(clock.now() - beganMs).toBe(17_003);
  });

  test('counts what a batch costs by its parts, and waits for room in every window', async () => {
    const clock = new JumpingClock();
    const window = new RollingCount(100, MINUTE);
    const budget = new Budget({ atOnce: 10, requests: [window], units: [] }, clock);
    for (let batch = 0; batch < 5; batch += 1) (await budget.enter({ requests: 20, units: 0 }, undefined))();
    expect(clock.sleeps).toEqual([]);
    (await budget.enter(ONE, undefined))();
    expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(MINUTE / 2);
  });
});

describe('The limits of an application', () => {
  test('apply to each mailbox separately, and to the units of SharePoint in total', () => {
    const limits = new Limits(1_000, new JumpingClock());
    const mailbox = (key: string) => limits.budgetOf({ kind: 'mailbox', key });
    expect(mailbox('mailbox/one')).toBe(mailbox('mailbox/one'));
    expect(mailbox('mailbox/one')).not.toBe(mailbox('mailbox/two'));
  });

  test.each([
    [1_000, 1_250],
    [1_001, 2_500],
    [15_000, 3_750],
    [50_000, 5_000],
    [50_001, 6_250],
  ])('give a tenant of %i licences %i units of SharePoint in a minute', async (licences, units) => {
    const clock = new JumpingClock();
    const budget = new Limits(licences, clock).budgetOf({ kind: 'sharepoint', key: 'sharepoint' });
    for (let used = 0; used < units; used += 5) (await budget.enter({ requests: 1, units: 5 }, undefined))();
    expect(clock.sleeps).toEqual([]);
    (await budget.enter(ONE, undefined))();
    expect(clock.sleeps.length).toBeGreaterThan(0);
  });

  test('are 10,000 requests in ten minutes for a mailbox: the next one waits until they have passed', async () => {
    const clock = new JumpingClock();
    const beganMs = clock.now();
    const budget = new Limits(1_000, clock).budgetOf({ kind: 'mailbox', key: 'mailbox/one' });
    for (let asked = 0; asked < 10_000; asked += 20) (await budget.enter({ requests: 20, units: 0 }, undefined))();
    expect(clock.now()).toBe(beganMs);
    (await budget.enter(ONE, undefined))();
    expect(clock.now() - beganMs).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(clock.now() - beganMs).toBeLessThan(11 * MINUTE);
  });
});
