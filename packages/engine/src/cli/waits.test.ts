import { expect, test } from 'vitest';
import { JumpingClock } from '../testing/graph/graph-tenant.ts';
import type { Row } from './text/table.ts';
import { reportingLongWaits } from './waits.ts';

function opened() {
  const waits: [string, Row][] = [];
  const clock = new JumpingClock(Date.parse('2026-11-02T08:00:00Z'));
  const waiting = reportingLongWaits(clock, 'Microsoft 365', { wait: (text, data) => void waits.push([text, data]) });
  const { signal } = new AbortController();
  return { waits, clock, sleep: (ms: number) => waiting.sleep(ms, signal) };
}

test('says of a long wait how long it is, for whom, and that it continues automatically', async () => {
  const { waits, clock, sleep } = opened();
  await sleep(300_000);
  expect(waits).toEqual([
    [
      'Waiting 5 min for Microsoft 365, which takes no more requests meanwhile. It continues automatically.',
      { seconds: 300, until: '2026-11-02T08:05:00.000Z' },
    ],
  ]);
  expect(clock.sleeps).toEqual([300_000]);
});

test('says nothing of short waits', async () => {
  const { waits, sleep } = opened();
  await sleep(30_000);
  expect(waits).toEqual([]);
});

test('says one line of all who wait for the same, and another of the next wait', async () => {
  const waits: string[] = [];
  let nowMs = 0;
  const stopped = { now: () => nowMs, sleep: async () => undefined };
  const clock = reportingLongWaits(stopped, 'Microsoft 365', { wait: (text) => void waits.push(text) });
  for (const ms of [60_000, 60_001, 75_000]) await clock.sleep(ms, undefined);
  expect(waits).toHaveLength(1);
  nowMs = 60_000;
  await clock.sleep(60_000, undefined);
  expect(waits).toHaveLength(2);
});
