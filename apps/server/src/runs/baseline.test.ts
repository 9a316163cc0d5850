import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AMOUNTS,
  amountOf,
  baselineOf,
  codeOf,
  KNOWN_RUNS_MAX,
  type KnownRun,
  readBaseline,
  readCodes,
  runsBefore,
  startsOf,
  withRun,
  writeBaseline,
} from './baseline.ts';

const amount = fc.option(fc.double({ min: 0, max: Number.MAX_SAFE_INTEGER, noNaN: true }));
const runs = fc
  .array(fc.record({ durationMs: amount, transferredBytes: amount, sizeBytes: amount }), { maxLength: 80 })
  .map((all) => all.map((run, index): KnownRun => ({ ...run, startedAtMs: 1_700_000_000_000 + index * 3_600_000 })));

describe('a baseline', () => {
  it('includes the last 30 runs, whatever came before', () => {
    fc.assert(
      fc.property(runs, (all) => {
        const baseline = readBaseline(writeBaseline(all));
        expect(startsOf(baseline)).toEqual(all.slice(-KNOWN_RUNS_MAX).map((run) => run.startedAtMs));
      }),
    );
  });

  it('is the same run by run as all at once', () => {
    fc.assert(
      fc.property(runs, runs, (one, other) => {
        const later = other.map((run) => ({ ...run, startedAtMs: run.startedAtMs + 10 ** 10 }));
        const grown = later.reduce(withRun, baselineOf(one));
        expect(grown.bytes.equals(baselineOf([...one, ...later]).bytes)).toBe(true);
      }),
    );
  });

  it('stores amounts exact to 0.04 % and distinguishes zero from unknown', () => {
    fc.assert(
      fc.property(runs, (all) => {
        const baseline = baselineOf(all);
        const stored = all.slice(-KNOWN_RUNS_MAX);
        for (const name of AMOUNTS) {
          const codes = new Uint16Array(KNOWN_RUNS_MAX);
          const count = readCodes(baseline, name, codes);
          const known = stored.map((run) => run[name]).filter((value) => value !== null);
          expect(count).toBe(known.length);
          known.forEach((value, index) => {
            expect(Math.abs(amountOf(codes[index] ?? 0) - value)).toBeLessThanOrEqual((value + 1) * 0.0004);
          });
        }
      }),
    );
  });

  it('gives the runs before an instant', () => {
    const baseline = baselineOf(
      [1, 2, 3].map((hour) => ({
        startedAtMs: hour * 3_600_000,
        durationMs: 1,
        transferredBytes: null,
        sizeBytes: null,
      })),
    );
    expect(startsOf(runsBefore(baseline, 2 * 3_600_000))).toEqual([3_600_000]);
    expect(runsBefore(baseline, 9 * 3_600_000)).toBe(baseline);
    expect(runsBefore(baseline, 0).count).toBe(0);
  });

  it('has no runs when its version is unknown or missing', () => {
    expect(readBaseline(Buffer.from([9, 1, 2, 3])).count).toBe(0);
    expect(readBaseline(null).count).toBe(0);
  });

  it('has a code for the largest amount there can be', () => {
    expect(codeOf(Number.MAX_SAFE_INTEGER)).toBeLessThanOrEqual(65_535);
    expect(codeOf(2 ** 62)).toBeLessThanOrEqual(65_535);
    expect(codeOf(0)).toBe(1);
    expect(codeOf(null)).toBe(0);
  });
});
