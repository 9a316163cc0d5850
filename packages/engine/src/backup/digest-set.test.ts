import { expect, test } from 'vitest';
import { Random } from '../testing/random.ts';
import { DigestSet } from './digest-set.ts';

test('has what was added, once or more often, and nothing else', () => {
  const random = new Random(3);
  const next = () => 1 + random.below(2 ** 31) * 2 ** 21 + random.below(2 ** 21);
  const [set, model] = [new DigestSet(), new Set<number>()];
  for (let at = 0; at < 50_000; at += 1) {
    const digest = next();
    for (let times = 0; times < 1 + (at % 2); times += 1) set.add(digest);
    model.add(digest);
  }
  expect([...model].every((digest) => set.has(digest))).toBe(true);
  for (let at = 0; at < 50_000; at += 1) {
    const digest = next();
    expect(set.has(digest)).toBe(model.has(digest));
  }
});

test('stores numbers that fall on one place separately, and treats the largest like others', () => {
  const set = new DigestSet();
  const digests = Array.from({ length: 600 }, (_, at) => 7 + at * 1_024).concat(2 ** 53 - 1);
  for (const digest of digests) set.add(digest);
  expect(digests.every((digest) => set.has(digest))).toBe(true);
  expect(set.has(8)).toBe(false);
});
