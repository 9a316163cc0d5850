import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../model/engine-error.ts';
import { JumpingClock } from '../../../testing/graph/graph-tenant.ts';
import { retryAfterMs, unreachable, untilItWorks } from './attempts.ts';

const NOW = Date.parse('2026-11-02T08:00:00Z');
const failure = new EngineError('source-unreachable', 'No answer.', { isRetryable: true });

test.each([
  ['2', NOW + 2_000],
  ['0', NOW],
  ['1.5', NOW + 1_500],
  ['-3', NOW],
  [' 120 ', NOW + 120_000],
  ['Mon, 02 Nov 2026 08:01:00 GMT', NOW + 60_000],
  ['Mon, 02 Nov 2026 07:00:00 GMT', NOW - 3_600_000],
  ['', null],
  ['  ', null],
  ['soon', null],
  ['NaN', null],
  ['Infinity', null],
  [null, null],
  [undefined, null],
])('Retry-After %o asks for %o', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

describe('An attempt', () => {
  test('is made again after pauses of its own, and not after a pause that the vendor asked for and the budget obeys', async () => {
    const clock = new JumpingClock(NOW);
    const outcomes = [{ failure, pausedUntilMs: NOW + 60_000 }, { failure, pausedUntilMs: null }, { value: 'done' }];
    expect(await untilItWorks(async () => outcomes.shift() ?? { value: 'over' }, clock, undefined)).toBe('done');
    expect(clock.sleeps).toHaveLength(1);
  });

  test('is given up after eight, with what went wrong last', async () => {
    let attempts = 0;
    const last = async () => {
      attempts += 1;
      return { failure: new EngineError('source-unreachable', `Attempt ${attempts}`), pausedUntilMs: null };
    };
    await expect(untilItWorks(last, new JumpingClock(), undefined)).rejects.toThrow('Attempt 8');
  });

  test('is not made again when the caller stops during the pause', async () => {
    const stop = new AbortController();
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      stop.abort(new Error('Stopped.'));
      return { failure, pausedUntilMs: null };
    };
    await expect(untilItWorks(attempt, new JumpingClock(), stop.signal)).rejects.toThrow('Stopped.');
    expect(attempts).toBe(1);
  });
});

const notFound = new Error('getaddrinfo ENOTFOUND graph.microsoft.com');
const addresses = [new Error('connect ECONNREFUSED ::1:443'), new Error('connect ECONNREFUSED 127.0.0.1:443')];

test.each([
  ['a connection that broke', notFound, 'getaddrinfo ENOTFOUND graph.microsoft.com'],
  ['one of several addresses', new AggregateError(addresses), 'connect ECONNREFUSED ::1:443'],
])('%s says what was asked and why it broke', (_, cause, reason) => {
  const error = unreachable('GET /users', cause);
  expect(error).toMatchObject({ code: 'source-unreachable', isRetryable: true, cause });
  expect(error.message).toContain(`did not answer GET /users: ${reason}.`);
});
