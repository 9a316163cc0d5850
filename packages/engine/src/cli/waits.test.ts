import { expect, test } from 'vitest';
import { JumpingClock } from '../testing/graph/graph-tenant.ts';
import type { Row } from './text/table.ts';
import { reportingLongWaits } from './waits.ts';

function opened() {
  const told: [string, Row][] = [];
  const clock = new JumpingClock(Date.parse('2026-11-02T08:00:00Z'));
  const waiting = reportingLongWaits(clock, 'Microsoft 365', { wait: (text, data) => void told.push([text, data]) });
  const { signal } = new AbortController();
  return { told, clock, sleep: (ms: number) => waiting.sleep(ms, signal) };
}

test('says of a long wait how long it is, for whom, and that it goes on by itself', async () => {
  const { told, clock, sleep } = opened();
  await sleep(300_000);
  expect(told).toEqual([
    [
      'Waiting 5 min for Microsoft 365, which takes no more requests meanwhile. It goes on by itself.',
      { seconds: 300, until: '2026-11-02T08:05:00.000Z' },
    ],
  ]);
  expect(clock.sleeps).toEqual([300_000]);
});

test('says nothing of short waits', async () => {
  const { told, sleep } = opened();
  await sleep(30_000);
  expect(told).toEqual([]);
});

test('says one line of all who wait for the same, and another of the next wait', async () => {
  const told: string[] = [];
  let nowMs = 0;
  const standing = { now: () => nowMs, sleep: async () => undefined };
  const clock = reportingLongWaits(standing, 'Microsoft 365', { wait: (text) => void told.push(text) });
  for (const ms of [60_000, 60_001, 75_000]) await clock.sleep(ms, undefined);
  expect(told).toHaveLength(1);
  nowMs = 60_000;
  await clock.sleep(60_000, undefined);
  expect(told).toHaveLength(2);
});
