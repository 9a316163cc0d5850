import { describe, expect, test } from 'vitest';
import type { ItemOutcome } from './item-outcome.ts';
import { RestoreCount } from './restore-result.ts';

const item = (id: string, over: Partial<ItemOutcome>): ItemOutcome => ({
  id,
  kind: 'message',
  name: id,
  path: [],
  outcome: 'restored',
  bytes: 100,
  losses: [],
  ...over,
});
const failed = item('f', { outcome: 'failed', reason: 'Too large.', bytes: 0 });

describe('What a restore came to', () => {
  test.each([
    ['everything was done', [item('a', {})], null, false, 'Success'],
    ['everything was there', [item('a', { outcome: 'skipped', reason: 'unchanged' })], null, false, 'Success'],
    ['nothing was to be done', [], null, false, 'Success'],
    ['one failed', [item('a', {}), failed], null, false, 'Warning'],
    ['all failed', [failed], null, false, 'Failed'],
    ['it was stopped by an error on the way', [item('a', {})], 'The secret has expired.', false, 'Warning'],
    ['it was stopped by an error at once', [], 'The secret has expired.', false, 'Failed'],
    ['a user stopped it', [item('a', {}), failed], 'Stopped.', true, 'Stopped'],
  ] as const)('when %s', (_, items, stoppedBy, isOnRequest, outcome) => {
    const count = new RestoreCount();
    for (const one of items) count.took(one);
    expect(count.result(stoppedBy, isOnRequest).outcome).toBe(outcome);
  });

  test('counts every item once, names each failure, and lists losses and reasons as people read them', () => {
    const count = new RestoreCount();
    count.entered([]);
    count.took(item('a', { losses: ['the organizer', 'reactions'] }));
    count.took(item('b', { outcome: 'replaced', losses: ['reactions'] }));
    count.took(item('c', { outcome: 'skipped', reason: 'exists', bytes: 0 }));
    count.took(failed);
    expect(count.result(null, false)).toMatchObject({
      containers: 1,
      restored: 1,
      replaced: 1,
      skipped: 1,
      failed: 1,
      bytes: 200,
      skippedBecause: { 'It is there, and was to be left alone.': 1 },
      losses: { 'the organizer': 1, reactions: 2 },
      failures: [{ id: 'f', reason: 'Too large.' }],
    });
  });
});

test('a restore that is gone on with reports its pace and its end by what this attempt did', () => {
  let nowMs = 0;
  const count = new RestoreCount(() => nowMs);
  for (let done = 0; done < 50; done += 1)
    count.earlier({ type: 'done', item: `${done}`, outcome: 'restored', bytes: 100 });
  count.total = { items: 100, bytes: 10_000 };
  expect(count.progress()).toMatchObject({ items: 50, bytes: 5_000, bytesPerSecond: 0, secondsLeft: null });
  nowMs = 10_000;
  for (let done = 50; done < 75; done += 1) count.took(item(`${done}`, {}));
  expect(count.progress()).toMatchObject({
    items: 75,
    bytes: 7_500,
    elapsedMs: 10_000,
    bytesPerSecond: 250,
    secondsLeft: 10,
  });
});
