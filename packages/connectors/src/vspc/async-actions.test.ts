import { afterEach, describe, expect, it } from 'vitest';
import type { Console } from '../testing/console.ts';
import { startConsole, uidOf } from '../testing/console.ts';
import { quiet } from '../testing/context.ts';
import { answerJson } from '../testing/vendor.ts';

const ACTION = `asyncActions/${uidOf(1)}`;
let running: Console;
afterEach(() => running.stop());

/** A console that answers later: each look at the action finds the next state, and the last one from then on. */
async function start(states: string[], result: [number, unknown], location = `/api/v3/${ACTION}`) {
  let looks = 0;
  running = await startConsole({
    about: (_, reply) => void reply.writeHead(202, { location }).end(),
    [ACTION]: (_, reply) => {
      const status = states[Math.min(looks, states.length - 1)];
      looks += 1;
      answerJson(reply, { data: { id: uidOf(1), status } });
    },
    [`${ACTION}/result`]: (_, reply) => answerJson(reply, result[1], result[0]),
  });
}

function read() {
  return running.client.read('about', {}, quiet());
}

describe('a call that is answered later', () => {
  it('returns the result as if it had come at once, waiting longer between looks', async () => {
    await start(['running', 'running', 'succeed'], [200, { data: { serverVersion: '9' } }]);
    expect(await read()).toEqual({ data: { serverVersion: '9' } });
    expect(running.context.waits).toEqual([500, 750]);
  });

  it('never goes where the address points, only to the action on the same console', async () => {
    await start(['succeed'], [200, { data: 1 }], `https://elsewhere.test/api/v3/${ACTION}`);
    expect(await read()).toEqual({ data: 1 });
  });

  it('gives up when the action does not end', async () => {
    await start(['running'], [200, {}]);
    await expect(read()).rejects.toMatchObject({ kind: 'not-reachable' });
    const waitedMs = running.context.waits.reduce((sum, waited) => sum + waited, 0);
    expect(waitedMs).toBeGreaterThan(100_000);
    expect(waitedMs).toBeLessThanOrEqual(120_000);
  });

  it("throws what the action failed with, by the vendor's own error", async () => {
    const error = { message: 'Access is denied', type: 'security', code: 1 };
    await start(['failed'], [403, { errors: [error] }]);
    await expect(read()).rejects.toMatchObject({ kind: 'not-allowed', message: expect.stringContaining('denied') });
  });

  it.each([
    ['was canceled', ['canceled']],
    ['has an unknown state', ['dreaming']],
  ])('is a bad reply when the action %s', async (_, states) => {
    await start(states, [200, {}]);
    await expect(read()).rejects.toMatchObject({ kind: 'bad-reply' });
  });

  it('is a bad reply when there is no address of an action', async () => {
    await start([], [200, {}], '/somewhere/else');
    await expect(read()).rejects.toMatchObject({ kind: 'bad-reply' });
  });
});
