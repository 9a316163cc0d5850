import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actorOf } from '../../identity/sessions.ts';
import { type Caller, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { type LiveEvents, listenForEvents, publish } from '../events.ts';
import { openLog } from '../log.ts';
import { openMetrics } from '../metrics.ts';
import { addLiveEvents } from './live-events.ts';

let portal: TestPortal;
let events: LiveEvents;

beforeEach(async () => {
  portal = await startTestPortal((server, database, databaseUrl) => {
    const authenticate = (token: string) => actorOf(database, token, portal.clock.now);
    return listenForEvents(databaseUrl, openLog('silent', 'test')).then((listening) => {
      events = listening;
      addLiveEvents(server, { events, metrics: openMetrics('test'), authenticate });
    });
  });
});
afterEach(async () => {
  await portal.stop();
  await events.stop();
});

/** The text of the stream up to the first one that contains `wanted`. */
async function readUntil(response: Response, wanted: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(wanted)) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) break;
    text += chunk.value;
  }
  await reader?.cancel();
  return text;
}

const listen = (caller: Caller) => caller.raw('GET', '/api/events');

describe('GET /api/events', () => {
  it("200: tells what changed at the caller's provider, and nothing of another", async () => {
    const [mine, theirs] = [await portal.as('operator'), await portal.as('operator', { providerId: 2 })];
    const [one, other] = [await listen(mine), await listen(theirs)];
    await publish(portal.database, { name: 'executions.changed', providerId: 1 });
    await publish(portal.database, { name: 'sync.changed', providerId: 2 });
    expect(await readUntil(one, 'executions.changed')).not.toContain('sync.changed');
    expect(await readUntil(other, 'sync.changed')).not.toContain('executions.changed');
  });

  it('200: tells of the first of many changes at once, and of all that follow in few events', async () => {
    const response = await listen(await portal.as('operator'));
    const begunMs = performance.now();
    for (let change = 0; change < 100; change += 1)
      await publish(portal.database, { name: 'executions.changed', providerId: 1 });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const count = () => text.split('event: executions.changed').length - 1;
    const readUntilIt = async (isOver: () => boolean) => {
      while (!isOver()) text += (await reader?.read())?.value ?? '';
    };
    await readUntilIt(() => count() >= 1);
    await publish(portal.database, { name: 'executions.changed', providerId: 1 });
    const before = count();
    await readUntilIt(() => count() > before);
    await publish(portal.database, { name: 'sync.changed', providerId: 1 });
    await readUntilIt(() => text.includes('sync.changed'));
    await reader?.cancel();
    const quarters = Math.ceil((performance.now() - begunMs) / 250);
    expect(count()).toBeLessThanOrEqual(Math.min(100, quarters + 2));
  });

  it('401: refuses without a session', async () => {
    expect((await listen(portal.anonymous)).status).toBe(401);
  });

  it('429: refuses the twenty-first window of one user, and takes one again when one is closed', async () => {
    const user = await portal.as('operator');
    const open = await Promise.all(Array.from({ length: 20 }, () => listen(user)));
    const refused = await listen(user);
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'TOO_MANY_STREAMS']);
    await readUntil(open[0] as Response, 'listening');
    await expect.poll(async () => (await listen(user)).status).toBe(200);
  });

  it('does not keep a server that closes waiting', async () => {
    const response = await listen(await portal.as('operator'));
    const closed = portal.server.close();
    expect(await readUntil(response, 'never said')).toContain('listening');
    await closed;
  });
});
