import { describe, expect, test } from 'vitest';
import { FaultError, readFaultHeader, readFaults } from './fault.ts';
import { FaultPlan } from './fault-plan.ts';

describe('reading faults', () => {
  test('takes one rule or a list of them', () => {
    expect(readFaults({ kind: 'hang' })).toEqual([{ kind: 'hang', path: '*', parameters: {} }]);
    expect(
      readFaults([
        { kind: 'cut', path: '/about', times: 2 },
        { kind: 'slow', probability: 0.5 },
      ]),
    ).toHaveLength(2);
  });

  test.each([
    [null, 'must be an object'],
    [{ kind: 'flood' }, 'kind must be one of throttle'],
    [{ kind: 'cut', times: -1 }, 'times must be a number'],
    [{ kind: 'cut', probability: 2 }, 'probability must be a number from 0 to 1'],
    [{ kind: 'cut', path: 7 }, 'path must be a text'],
    [{ kind: 'cut', parameters: { status: {} } }, 'parameter status must be'],
    [{ kind: 'cut', tiems: 1 }, 'unknown field tiems'],
  ])('refuses %j and says why', (input, message) => {
    expect(() => readFaults(input)).toThrow(FaultError);
    expect(() => readFaults(input)).toThrow(message);
  });

  test('takes kind and parameters from a header', () => {
    expect(readFaultHeader('throttle; retryAfterSeconds=2')).toMatchObject({
      kind: 'throttle',
      parameters: { retryAfterSeconds: '2' },
    });
  });
});

describe('a plan', () => {
  test('hits the path of its pattern alone', () => {
    const plan = new FaultPlan(1);
    plan.set([{ kind: 'cut', path: '/infrastructure/*/jobs' }]);
    expect(plan.hit('/infrastructure/backupServers/jobs')?.kind).toBe('cut');
    expect(plan.hit('/infrastructure/backupServers/jobs/agentJobs')).toBeUndefined();
    expect(plan.hit('/organizations/companies')).toBeUndefined();
  });

  test('stops after its times, and lets the next rule have its turn', () => {
    const plan = new FaultPlan(1);
    plan.set([
      { kind: 'throttle', times: 2 },
      { kind: 'cut', times: 1 },
    ]);
    expect([1, 2, 3, 4].map(() => plan.hit('/about')?.kind)).toEqual(['throttle', 'throttle', 'cut', undefined]);
  });

  test('expires a token once by default', () => {
    const plan = new FaultPlan(1);
    plan.set([{ kind: 'expired-token' }]);
    expect([1, 2].map(() => plan.hit('/about')?.kind)).toEqual(['expired-token', undefined]);
  });

  test('hits the configured share of requests, and the same ones every time', () => {
    const hits = () => {
      const plan = new FaultPlan(3);
      plan.set([{ kind: 'server-error', probability: 0.25 }]);
      return Array.from({ length: 1000 }, () => plan.hit('/about') !== undefined);
    };
    const count = hits().filter(Boolean).length;
    expect(count).toBeGreaterThan(200);
    expect(count).toBeLessThan(300);
    expect(hits()).toEqual(hits());
  });

  test('matches the special characters of a pattern literally', () => {
    const plan = new FaultPlan(1);
    plan.set([{ kind: 'cut', path: '/a.b' }]);
    expect(plan.hit('/axb')).toBeUndefined();
  });
});
