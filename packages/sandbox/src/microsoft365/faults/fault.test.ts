import { describe, expect, test } from 'vitest';
import { faultKinds, readFaultHeader, readFaults, TenantFaultError } from './fault.ts';
import { FaultPlan } from './fault-plan.ts';

describe('A rule that comes in', () => {
  test.each(faultKinds.map((kind) => [kind]))('may be of the kind %s, alone or in a list, and by header', (kind) => {
    expect(readFaults({ kind })).toEqual([{ kind, parameters: {} }]);
    expect(readFaults([{ kind }, { kind, times: 0, probability: 0 }])).toHaveLength(2);
    expect(readFaultHeader(` ${kind} ; a=1;b = two `)).toEqual({ kind, parameters: { a: '1', b: 'two' } });
  });

  test.each([
    [null, /Fault 1 must be an object/],
    ['throttle', /Fault 1 must be an object/],
    [[{ kind: 'throttle' }, { kind: 'flood' }], /Fault 2: kind must be one of throttle/],
    [{ kind: 'throttle', chance: 1 }, /unknown field chance/],
    [{ kind: 'throttle', probability: 1.5 }, /probability must be a number from 0 to 1/],
    [{ kind: 'throttle', times: -1 }, /times must be a number/],
    [{ kind: 'throttle', path: 7 }, /path must be a text/],
    [{ kind: 'throttle', parameters: { a: {} } }, /parameter a must be a text or a number/],
  ])('is refused when it is %j', (input, message) => {
    expect(() => readFaults(input)).toThrow(TenantFaultError);
    expect(() => readFaults(input)).toThrow(message);
  });
});

describe('The active rules', () => {
  test('hit by path and method, the first one that fits, as often as they say', () => {
    const plan = new FaultPlan(1);
    plan.set([
      { kind: 'vanished', path: '/users/*/messages/*/$value', method: 'get', times: 2 },
      { kind: 'throttle', path: '/users/(one)/*' },
    ]);
    const hit = (method: string, path: string) => plan.hit(method, path)?.kind;
    expect(hit('GET', '/users/a/messages/b/$value')).toBe('vanished');
    expect(hit('POST', '/users/a/messages/b/$value')).toBeUndefined();
    expect(hit('GET', '/users/a/messages/b/$value/more')).toBeUndefined();
    expect(hit('GET', '/USERS/A/MESSAGES/B/$VALUE')).toBe('vanished');
    expect(hit('GET', '/users/a/messages/b/$value')).toBeUndefined();
    expect(plan.list().map(({ timesLeft }) => timesLeft)).toEqual([0, null]);
    // A path is no pattern but for its stars.
    expect([hit('GET', '/users/one/x'), hit('GET', '/users/(one)/x')]).toEqual([undefined, 'throttle']);
  });

  test('hit the same requests for the same seed, about as many as their share, and others for another', () => {
    const hits = (seed: number) => {
      const plan = new FaultPlan(seed);
      plan.set([{ kind: 'throttle', probability: 0.2 }]);
      return Array.from({ length: 1_000 }, () => plan.hit('GET', '/x') !== undefined);
    };
    expect(hits(1)).toEqual(hits(1));
    expect(hits(1)).not.toEqual(hits(2));
    const share = hits(1).filter(Boolean).length / 1_000;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.25);
  });
});
