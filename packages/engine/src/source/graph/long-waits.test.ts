import { expect, test } from 'vitest';
import type { EngineEvent } from '../../model/engine-event.ts';
import { JumpingClock } from '../../testing/graph/graph-tenant.ts';
import { reportingLongWaits } from './long-waits.ts';

function opened() {
  const events: EngineEvent[] = [];
  const clock = new JumpingClock(Date.parse('2026-11-02T08:00:00Z'));
  const waiting = reportingLongWaits(clock, 'Microsoft 365', (event) => void events.push(event));
  const { signal } = new AbortController();
  return { events, clock, sleep: (ms: number) => waiting.sleep(ms, signal) };
}

test('says of a long wait how long it is, for whom, and that it continues automatically', async () => {
  const { events, clock, sleep } = opened();
  await sleep(300_000);
  const message =
    'Waiting 5 min for Microsoft 365, which takes no more requests meanwhile. It continues automatically.';
  expect(events).toEqual([
    { type: 'waiting', on: 'source', message, until: new Date('2026-11-02T08:05:00.000Z'), holders: [] },
  ]);
  expect(clock.sleeps).toEqual([300_000]);
});

test('says nothing of short waits', async () => {
  const { events, sleep } = opened();
  await sleep(30_000);
  expect(events).toEqual([]);
});

test('says one line of all who wait for the same, and another of the next wait', async () => {
  const events: EngineEvent[] = [];
  let nowMs = 0;
  const stopped = { now: () => nowMs, sleep: async () => undefined };
  const clock = reportingLongWaits(stopped, 'Microsoft 365', (event) => void events.push(event));
  for (const ms of [60_000, 60_001, 75_000]) await clock.sleep(ms, undefined);
  expect(events).toHaveLength(1);
  nowMs = 60_000;
  await clock.sleep(60_000, undefined);
  expect(events).toHaveLength(2);
});
