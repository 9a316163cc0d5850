import { expect, test } from 'vitest';
import { connectOffline } from '../../testing/graph/unsent-graph.ts';
import { jsonReply } from '../../testing/made-reply.ts';
import { openGraphSource } from './graph-source.ts';

const YEAR_MS = 365 * 86_400_000;
const { signal } = new AbortController();

/** A connection to a server whose clock is so far behind this machine's, and which takes so long for a reply. */
function connect({ behindMs = 0, tookMs = 0, status = 200 }) {
  const clock = { nowMs: Date.parse('2026-11-02T08:00:00Z') };
  const answer = () => {
    const date = new Date(clock.nowMs - behindMs).toUTCString();
    clock.nowMs += tookMs;
    return jsonReply({ value: [] }, { status, headers: { date } });
  };
  return connectOffline(answer, { clock: { now: () => clock.nowMs, sleep: async () => undefined } });
}

test.each([
  ['ahead', YEAR_MS],
  ['behind', -YEAR_MS],
])('a reply shows that this machine’s clock is a year %s', async (_, behindMs) => {
  const { connection } = connect({ behindMs });
  expect(connection.skewMs).toBeNull();
  await connection.ask({ path: '/users' });
  expect(connection.skewMs).toBe(behindMs);
});

test('how long a reply takes is no difference of clocks', async () => {
  const { connection } = connect({ tookMs: 10 * 60_000 });
  await connection.ask({ path: '/users' });
  expect(connection.skewMs).toBe(0);
});

test('a source asks for the time only where no reply showed it, and a refusal shows it too', async () => {
  const { connection, sent } = connect({ behindMs: YEAR_MS, status: 403 });
  const source = openGraphSource(connection);
  expect(source.skewMs?.()).toBeNull();
  await expect(source.askTime?.(signal)).rejects.toMatchObject({ code: 'consent-missing' });
  expect(source.skewMs?.()).toBe(YEAR_MS);
  await source.askTime?.(signal);
  expect(sent).toHaveLength(1);
});
