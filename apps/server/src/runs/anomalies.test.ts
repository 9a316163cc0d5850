import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anomaliesOf, anomalyTexts } from './anomalies.ts';
import { type Baseline, baselineOf, type KnownRun } from './baseline.ts';

const HOUR_MS = 3_600_000;
const GIGABYTE = 1_000_000_000;

function known(of: Partial<KnownRun>, index = 0): KnownRun {
  return { startedAtMs: (index + 1) * 24 * HOUR_MS, durationMs: null, transferredBytes: null, sizeBytes: null, ...of };
}

function baseline(transferred: readonly number[]): Baseline {
  return baselineOf(transferred.map((transferredBytes, index) => known({ transferredBytes }, index)));
}

function evaluate(transferredBytes: number, before: readonly number[]): string[] {
  return anomaliesOf(known({ transferredBytes }, 99), baseline(before));
}

/** Amounts of a job whose runs differ by chance, by up to a quarter. */
const steady = fc.array(fc.double({ min: 0.75, max: 1.25, noNaN: true }), { minLength: 8, maxLength: 30 });
const usual = fc.integer({ min: 1, max: 10_000 }).map((gigabytes) => gigabytes * GIGABYTE);

describe('a value outside its range', () => {
  it('is found when a run moves a tenth of the bytes or less, however large the job is', () => {
    fc.assert(
      fc.property(usual, steady, fc.double({ min: 0, max: 0.1, noNaN: true }), (size, shares, drop) => {
        expect(
          evaluate(
            size * drop,
            shares.map((share) => share * size),
          ),
        ).toEqual(['transferred']);
      }),
    );
  });

  it('is found when a run moves ten times the bytes or more', () => {
    fc.assert(
      fc.property(usual, steady, fc.double({ min: 10, max: 1_000, noNaN: true }), (size, shares, rise) => {
        expect(
          evaluate(
            size * rise,
            shares.map((share) => share * size),
          ),
        ).toEqual(['transferred']);
      }),
    );
  });

  it('is not reported within the usual spread of the job', () => {
    // Less than twice the lowest usual value, 0.75: exactly there the rounding of the code decides.
    fc.assert(
      fc.property(usual, steady, fc.double({ min: 0.7, max: 1.49, noNaN: true }), (size, shares, share) => {
        expect(
          evaluate(
            size * share,
            shares.map((one) => one * size),
          ),
        ).toEqual([]);
      }),
    );
  });

  it('does not depend on the unit: doubling every amount changes nothing', () => {
    fc.assert(
      fc.property(usual, steady, fc.double({ min: 0, max: 20, noNaN: true }), (size, shares, share) => {
        // Close to the border the rounding of the code decides.
        fc.pre(Math.abs(share - 2) > 0.3 && Math.abs(share - 0.5) > 0.1);
        const at = (scale: number) =>
          evaluate(
            size * share * scale,
            shares.map((one) => one * size * scale),
          );
        expect(at(2)).toEqual(at(1));
      }),
    );
  });

  it('needs eight known runs', () => {
    expect(evaluate(0, Array(7).fill(GIGABYTE))).toEqual([]);
    expect(evaluate(0, Array(8).fill(GIGABYTE))).toEqual(['transferred']);
  });

  it('is ignored below two minutes or 50 MB', () => {
    expect(evaluate(49_000_000, Array(20).fill(1_000_000))).toEqual([]);
    expect(evaluate(0, Array(20).fill(49_000_000))).toEqual([]);
    const quick = baselineOf(Array.from({ length: 20 }, (_, index) => known({ durationMs: 5_000 }, index)));
    expect(anomaliesOf(known({ durationMs: 120_000 }, 99), quick)).toEqual([]);
    expect(anomaliesOf(known({ durationMs: 130_000 }, 99), quick)).toEqual(['duration']);
  });

  it('is reported below 50 MB when a run saves nothing at all', () => {
    const sized = (bytes: number) =>
      baselineOf(Array.from({ length: 10 }, (_, night) => known({ sizeBytes: bytes }, night)));
    expect(anomaliesOf(known({ sizeBytes: 0 }, 99), sized(3_000_000))).toEqual(['size']);
    expect(anomaliesOf(known({ sizeBytes: 0 }, 99), sized(0))).toEqual([]);
    expect(anomaliesOf(known({ sizeBytes: 1 }, 99), sized(3_000_000))).toEqual([]);
  });

  it('has a wider range when a job’s runs differ a lot', () => {
    const wild = Array(8)
      .fill([0.3 * GIGABYTE, GIGABYTE, 3 * GIGABYTE])
      .flat();
    expect(evaluate(6 * GIGABYTE, wild)).toEqual([]);
    expect(evaluate(6 * GIGABYTE, Array(24).fill(GIGABYTE))).toEqual(['transferred']);
  });

  it('is a habit when it occurred twice and usual values followed: full backups on Saturdays', () => {
    const weeks = Array.from({ length: 28 }, (_, day) => (day % 7 === 5 ? 100 : 1) * GIGABYTE);
    expect(evaluate(105 * GIGABYTE, weeks)).toEqual([]);
    expect(evaluate(10_000 * GIGABYTE, weeks)).toEqual(['transferred']);
  });

  it('is not a habit while it lasts: a drop is reported night after night', () => {
    const nights = Array(20).fill(GIGABYTE);
    for (let night = 0; night < 10; night += 1) {
      expect(evaluate(0.05 * GIGABYTE, nights)).toEqual(['transferred']);
      nights.push(0.05 * GIGABYTE);
    }
  });

  it('is not evaluated when the amount is unknown, before or now', () => {
    expect(anomaliesOf(known({}, 99), baseline(Array(20).fill(GIGABYTE)))).toEqual([]);
    const without = baselineOf(Array.from({ length: 20 }, (_, index) => known({ durationMs: HOUR_MS }, index)));
    expect(anomaliesOf(known({ transferredBytes: GIGABYTE, durationMs: HOUR_MS }, 99), without)).toEqual([]);
  });
});

describe('texts of anomalies', () => {
  const before = baselineOf(
    Array.from({ length: 30 }, (_, index) =>
      known({ durationMs: 41 * 60_000, transferredBytes: 2.5 * GIGABYTE }, index),
    ),
  );
  const execution = {
    startedAt: '1971-01-01T00:00:00.000Z',
    result: 'Success' as const,
    durationMs: 192 * 60_000,
    transferredBytes: 120_000,
    sizeBytes: null,
  };

  it('say what was and what is usual', () => {
    expect(anomalyTexts({ ...execution, anomalies: ['duration', 'transferred', 'size'] }, before)).toEqual([
      'took 3 h 12 m, usually 41 m (30 runs)',
      'moved 120 kB, usually 2.5 GB (30 runs)',
      'is an unknown amount, which is not usual for this job',
    ]);
  });

  it('ignore runs that came later', () => {
    const [text] = anomalyTexts({ ...execution, startedAt: '1970-01-03T12:00:00Z', anomalies: ['duration'] }, before);
    expect(text).toBe('took 3 h 12 m, usually 41 m (2 runs)');
  });

  it('say what contradicts itself', () => {
    const texts = anomalyTexts({ ...execution, anomalies: ['no-restore-point', 'contradiction'] }, before);
    expect(texts.join('; ')).toMatch(
      /no new restore point.*reported as successful, but the message or log shows a problem/,
    );
  });
});
