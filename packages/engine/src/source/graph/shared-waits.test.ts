import { expect, test } from 'vitest';
import type { EngineEvent } from '../../model/engine-event.ts';
import { connectOffline, fine, throttled } from '../../testing/graph/unsent-graph.ts';
import { jsonReply } from '../../testing/made-reply.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The same connection for a piece of work, and what it hears. */
function pieceOf({ connection }: ReturnType<typeof connectOffline>) {
  const heard: string[] = [];
  const own = connection.reportingTo(
    (event: EngineEvent) => void (event.type === 'waiting' && heard.push(event.message)),
  );
  return { own, heard };
}

test('a piece of work in line behind calls of another that wait for Microsoft 365 reports that it waits too', async () => {
  const { promise: pause, resolve: end } = Promise.withResolvers<void>();
  const beganMs = 1_000;
  let nowMs = beganMs;
  const clock = { now: () => nowMs, sleep: () => pause };
  const offline = connectOffline(() => (nowMs === beganMs ? throttled('300') : fine()), { clock });
  const [first, early, late] = [pieceOf(offline), pieceOf(offline), pieceOf(offline)];
  const ask = ({ own }: typeof first) => own.page({ path: '/users/one/messages' });
  // Four have a place, and sleep in it; the others wait for one.
  const calls = [first, first, first, first, first, first, early].map(ask);
  for (let at = 0; at < 50; at += 1) await turn();
  calls.push(ask(late));
  await turn();
  expect([first, early, late].map(({ heard }) => heard.length)).toEqual([1, 1, 1]);
  nowMs += 300_000;
  end();
  await Promise.all(calls);
  expect([first, early, late].map(({ heard }) => heard.length)).toEqual([1, 1, 1]);
});

test('all that wait for one sign-in report its pause, and the connection they share does not', async () => {
  let signIns = 0;
  const offline = connectOffline(fine, {
    send: async ({ url }) => {
      if (!url.endsWith('/token')) return fine();
      signIns += 1;
      return signIns === 1 ? throttled('60') : jsonReply({ access_token: 't', expires_in: 3_600 });
    },
  });
  const shared = pieceOf(offline);
  const outside: string[] = [];
  const base = offline.connection.reportingTo((event) => void outside.push(event.type));
  const pieces = [0, 1].map(() => pieceOf({ ...offline, connection: base }));
  await Promise.all(pieces.map(({ own }) => own.page({ path: '/users' })));
  expect(signIns).toBe(2);
  expect(pieces.map(({ heard }) => heard.length)).toEqual([1, 1]);
  expect([shared.heard, outside]).toEqual([[], []]);
});

test('a piece of work shares the token, budgets and names of mailboxes of its connection', async () => {
  const offline = connectOffline(fine);
  const [first, second] = [pieceOf(offline), pieceOf(offline)];
  first.own.mailboxBelongsTo('exported', 'ada');
  await first.own.page({ path: '/users/ada/messages' });
  await second.own.page({ path: '/users/ada/messages' });
  expect(offline.signIns).toHaveLength(1);
  expect(second.own.skewMs).toBe(offline.connection.skewMs);
});
