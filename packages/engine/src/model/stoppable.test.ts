import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listedUntil, orStopped, stoppable } from './stoppable.ts';

const NEVER = new Promise<never>(() => undefined);
const REASON = new Error('stopped on request');

test('stops waiting with the reason of the signal, before and while it waits', async () => {
  const stopping = new AbortController();
  const waiting = orStopped(NEVER, stopping.signal);
  stopping.abort(REASON);
  await expect(waiting).rejects.toBe(REASON);
  await expect(orStopped(NEVER, stopping.signal)).rejects.toBe(REASON);
});

test('gives what work comes to, and leaves no listener behind', async () => {
  const { signal } = new AbortController();
  expect(await orStopped(Promise.resolve(1), signal)).toBe(1);
  await expect(orStopped(Promise.reject(REASON), signal)).rejects.toBe(REASON);
  expect(await orStopped(Promise.resolve(1), undefined)).toBe(1);
});

test('leaves a list whose next page does not come, and closes one that is left in the middle', async () => {
  const closed: string[] = [];
  async function* list(name: string, hangs: boolean) {
    try {
      yield 1;
      if (hangs) await NEVER;
      yield 2;
    } finally {
      closed.push(name);
    }
  }
  const stopping = new AbortController();
  for await (const one of listedUntil(list('left', false), stopping.signal)) if (one === 1) break;
  expect(closed).toEqual(['left']);
  const hanging = (async () => {
    for await (const one of listedUntil(list('hanging', true), stopping.signal)) expect(one).toBe(1);
  })();
  await pause(1);
  stopping.abort(REASON);
  await expect(hanging).rejects.toBe(REASON);
});

test('ends what reads, and waits for what writes', async () => {
  const thing = {
    name: 'thing',
    read: () => NEVER,
    write: async () => {
      await pause(5);
      return 'written';
    },
    async *list() {
      yield await NEVER;
    },
  };
  const stopping = new AbortController();
  const view = stoppable(thing, stopping.signal, new Set(['write']));
  expect(view.name).toBe('thing');
  const [reading, writing, listing] = [view.read(), view.write(), view.list().next()];
  stopping.abort(REASON);
  await expect(reading).rejects.toBe(REASON);
  await expect(listing).rejects.toBe(REASON);
  expect(await writing).toBe('written');
});
