import { describe, expect, it } from 'vitest';
import { quiet } from '../testing/context.ts';
import { withConcurrencyCap } from './concurrency.ts';
import type { HttpReply, HttpRequest } from './message.ts';

const request: HttpRequest = {
  method: 'GET',
  url: new URL('http://vendor.test/'),
  headers: {},
  body: null,
  isIdempotent: true,
};
const reply: HttpReply = { status: 200, headers: {}, body: new Uint8Array() };

/** A sender whose requests end when the test says so. */
function heldSender() {
  const held: (() => void)[] = [];
  const send = () => new Promise<HttpReply>((resolve) => held.push(() => resolve(reply)));
  return { held, send };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('requests at the same time', () => {
  it('never lets more than the cap under way, and lets all of them have their turn', async () => {
    const { held, send } = heldSender();
    const capped = withConcurrencyCap(send, 2);
    const all = [1, 2, 3, 4].map(() => capped(request, quiet()));
    await settle();
    expect(held).toHaveLength(2);
    held[0]?.();
    await settle();
    expect(held).toHaveLength(3);
    held[1]?.();
    held[2]?.();
    await settle();
    held[3]?.();
    expect(await Promise.all(all)).toHaveLength(4);
  });

  it('lets one that is aborted in the line leave it at once, and gives its turn to the next', async () => {
    const { held, send } = heldSender();
    const capped = withConcurrencyCap(send, 1);
    const first = capped(request, quiet());
    const leaving = new AbortController();
    const second = capped(request, leaving.signal);
    const third = capped(request, quiet());
    leaving.abort(new Error('changed my mind'));
    await expect(second).rejects.toThrow('changed my mind');
    held[0]?.();
    await first;
    await settle();
    held[1]?.();
    expect(await third).toBe(reply);
  });

  it('frees the place of a request that failed', async () => {
    let calls = 0;
    const capped = withConcurrencyCap(async () => {
      calls += 1;
      if (calls === 1) throw new Error('cut');
      return reply;
    }, 1);
    await expect(capped(request, quiet())).rejects.toThrow('cut');
    expect(await capped(request, quiet())).toBe(reply);
  });
});
