import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startTestPortal } from '../../testing/test-portal.ts';

it('a server that closes waits for no connection on which nothing was asked', async () => {
  const portal = await startTestPortal();
  const { port, hostname } = new URL(portal.url);
  const accepted = once(portal.server.server, 'connection');
  const unused = connect(Number(port), hostname);
  const ended = once(unused, 'close');
  await accepted;
  await portal.stop();
  await ended;
});

it('a request that is under way is answered before the server has closed', async () => {
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const portal = await startTestPortal(async (server) => {
    server.get('/slow', async () => {
      isAsked();
      await mayAnswer;
      return 'answered';
    });
  });
  const response = fetch(`${portal.url}/slow`);
  await asked;
  const stopped = portal.stop();
  answer();
  expect(await (await response).text()).toBe('answered');
  await stopped;
});
