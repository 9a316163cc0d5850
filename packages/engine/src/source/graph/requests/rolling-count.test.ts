import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RollingCount } from './rolling-count.ts';

describe('A count in a rolling window', () => {
  it('never lets more through in any window than its limit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 20, maxLength: 200 }), (gaps) => {
        const [limit, windowMs] = [10, 1_000];
        const count = new RollingCount(limit, windowMs);
        const instants: number[] = [];
        let nowMs = 1_000_000;
        for (const gap of gaps) {
          nowMs += gap;
          for (let waitMs = count.waitMs(1, nowMs); waitMs > 0; waitMs = count.waitMs(1, nowMs)) nowMs += waitMs;
          count.add(1, nowMs);
          instants.push(nowMs);
        }
        for (const [at, instant] of instants.entries()) {
          const before = instants.slice(0, at + 1).filter((one) => one > instant - windowMs);
          expect(before.length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('lets through at once what fits, and waits no longer than one window', () => {
    const count = new RollingCount(100, 60_000);
    expect(count.waitMs(100, 5_000_000)).toBe(0);
    count.add(100, 5_000_000);
    const waitMs = count.waitMs(1, 5_000_000);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(60_000 * 1.05);
    expect(count.waitMs(1, 5_000_000 + waitMs)).toBe(0);
  });

  it('does not wait for ever for what is more than the limit itself', () => {
    const count = new RollingCount(10, 1_000);
    expect(count.waitMs(25, 1_000_000)).toBe(0);
    count.add(25, 1_000_000);
    expect(count.waitMs(1, 1_000_000)).toBeLessThanOrEqual(1_050);
  });
});
