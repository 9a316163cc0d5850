import { describe, expect, it } from 'vitest';
import { toRun } from './run.ts';

const now = new Date('2026-03-10T12:00:00Z');
const startedAt = new Date('2026-03-10T01:00:00Z');
const endedAt = new Date('2026-03-10T01:10:00Z');
const fields = { startedAt, endedAt, durationS: 590, result: 'Success' as const };

describe('the last run of a job', () => {
  it('has durations in milliseconds, the vendor’s own before the computed', () => {
    expect(toRun(fields, now)).toMatchObject({ durationMs: 590_000, endedAt, transferredBytes: null, log: [] });
    expect(toRun({ ...fields, durationS: null }, now)).toMatchObject({ durationMs: 600_000 });
    expect(toRun({ ...fields, endedAt: null, durationS: null }, now)).toMatchObject({
      durationMs: null,
      endedAt: null,
    });
  });

  it('is none when the job never ran, or its result is not said', () => {
    expect(toRun({ ...fields, startedAt: null }, now)).toBeNull();
    expect(toRun({ ...fields, result: null }, now)).toBeNull();
  });

  it('has no end while it runs, though the job still shows that of the run before', () => {
    const before = new Date('2026-03-09T01:10:00Z');
    expect(toRun({ ...fields, result: 'Running', endedAt: before }, now)).toMatchObject({
      endedAt: null,
      durationMs: null,
    });
  });

  it('may be a little ahead of our clock, but not in the future', () => {
    const ahead = new Date('2026-03-11T11:00:00Z');
    expect(toRun({ ...fields, startedAt: ahead, endedAt: ahead }, now)).toMatchObject({ startedAt: ahead });
    const future = new Date('2026-03-12T00:00:00Z');
    expect(() => toRun({ ...fields, startedAt: future, endedAt: null }, now)).toThrow(/in the future/);
    expect(() => toRun({ ...fields, endedAt: future }, now)).toThrow(/in the future/);
  });

  it('cannot end before it starts', () => {
    expect(() => toRun({ ...fields, startedAt: endedAt, endedAt: startedAt }, now)).toThrow(/before it starts/);
  });
});
