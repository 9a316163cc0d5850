import { expect, onTestFinished, test } from 'vitest';
import { countedSkew } from '../../../model/clock-skew.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { graphObjectOf } from '../../../testing/graph/graph-world.ts';
import { Replica } from '../../../testing/replica.ts';
import { systemClock } from '../clock.ts';
import { openGraphSource } from '../graph-source.ts';

const YEAR_MS = 365 * 86_400_000;

test.each([
  ['ahead', YEAR_MS],
  ['behind', -YEAR_MS],
])('messages written after a round are read in the next, by a machine whose clock is a year %s', async (_, skewMs) => {
  const clock = { ...systemClock, now: () => Date.now() + skewMs };
  const { tenant, connection } = await startConnected({ budgets: false }, { clock });
  onTestFinished(() => tenant.stop());
  const source = openGraphSource(connection);
  const object = await graphObjectOf(source, tenant, 'chats');
  const replica = new Replica(source, object);
  await replica.read();
  const before = replica.items.size;
  const [chat] = tenant.tenant.chats.of(object.id);
  if (chat === undefined) throw new Error('The person has no chat.');
  const from = { user: { id: object.id, displayName: 'Ada' } };
  chat.conversation.post({ from, body: { contentType: 'text', content: 'Hello' } }, tenant.tenant.nowMs());
  await replica.read();
  expect(replica.items.size).toBe(before + 1);
  const countOfAll = replica.events.filter(
    (event) => event.type === 'item' && event.item.kind === 'chat-message',
  ).length;
  // One that is behind would read everything of a year again.
  expect(countOfAll).toBeLessThan(before);
  expect(countedSkew(source.skewMs?.() ?? 0)).toBe(source.skewMs?.());
});
