import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { executionId, idFrom, startOfExecution } from './execution-id.ts';

const JOB = '11111111-2222-4333-8444-555555555555';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ids of executions', () => {
  it('contain the start of the run, to the millisecond', () => {
    const starts = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(starts, (startedAt) => {
        const id = executionId(1, JOB, startedAt);
        expect(id).toMatch(UUID);
        expect(startOfExecution(id)).toEqual(startedAt);
      }),
    );
  });

  it('are the same for the same run and different for every other', () => {
    const at = new Date('2026-03-01T01:00:00.000Z');
    expect(executionId(1, JOB, at)).toBe(executionId(1, JOB, at));
    expect(
      new Set([
        executionId(1, JOB, at),
        executionId(2, JOB, at),
        executionId(1, JOB.replace('1', '2'), at),
        executionId(1, JOB, new Date(+at + 1)),
      ]).size,
    ).toBe(4);
  });
});

describe('ids from names', () => {
  it('differ for names that are split at another place', () => {
    expect(idFrom('ab', 'c')).not.toBe(idFrom('a', 'bc'));
    expect(idFrom('source', 'x')).toMatch(UUID);
  });
});
