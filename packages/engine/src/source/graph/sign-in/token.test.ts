import { expect, test } from 'vitest';
import { JumpingClock } from '../../../testing/graph/graph-tenant.ts';
import { Token } from './token.ts';

const HOUR = 3_600_000;

/** A platform that gives tokens of a length of life, and counts them. */
function platform(lifeMs = HOUR) {
  const clock = new JumpingClock();
  const given: string[] = [];
  let trouble: Error | null = null;
  const token = new Token(async () => {
    if (trouble !== null) throw trouble;
    given.push(`token-${given.length + 1}`);
    return { value: given.at(-1) ?? '', expiresMs: clock.now() + lifeMs };
  }, clock);
  return { token, clock, given, fail: (error: Error | null) => (trouble = error) };
}

test('a token is renewed five minutes before it expires, and not before', async () => {
  const { token, clock } = platform();
  expect(await token.get()).toBe('token-1');
  await clock.sleep(HOUR - 5 * 60_000 - 1, undefined);
  expect(await token.get()).toBe('token-1');
  await clock.sleep(1, undefined);
  expect(await token.get()).toBe('token-2');
});

test('of a token that lives for a moment half its life is used, so that not every call asks for a token', async () => {
  const { token, clock, given } = platform(60_000);
  await token.get();
  await clock.sleep(29_999, undefined);
  await token.get();
  expect(given).toHaveLength(1);
  await clock.sleep(1, undefined);
  expect(await token.get()).toBe('token-2');
});

test('many who wait ask once, and all hear of a refusal; the next one asks again', async () => {
  const { token, given, fail } = platform();
  fail(new Error('The secret has expired.'));
  const refused = await Promise.allSettled([token.get(), token.get(), token.get()]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  fail(null);
  expect(await Promise.all([token.get(), token.get()])).toEqual(['token-1', 'token-1']);
  expect(given).toHaveLength(1);
});

test('a token that was refused is renewed once, also when several calls were refused with it', async () => {
  const { token, given } = platform();
  const old = await token.get();
  token.refuse(old);
  const fresh = await token.get();
  token.refuse(old);
  expect(await token.get()).toBe(fresh);
  expect(given).toHaveLength(2);
});
