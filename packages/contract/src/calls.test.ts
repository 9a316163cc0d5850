import { describe, expect, it } from 'vitest';
import { allows, ROLES } from './abilities.ts';
import { calls } from './calls.ts';

const declared = Object.entries(calls);

describe('the contract', () => {
  it('declares every call once', () => {
    const places = declared.map(([, call]) => `${call.method} ${call.path}`);
    expect(places.length).toBeGreaterThan(40);
    expect(new Set(places).size).toBe(places.length);
  });

  it.each(declared)('%s says what failed in words for a person, and takes its path parameters', (_name, call) => {
    expect(call.failure).toMatch(/^[A-Z].{10,}/);
    expect(call.summary).toMatch(/\.$/);
    expect(/\{\w+\}/.test(call.path)).toBe(call.params !== undefined);
  });

  it.each(declared.filter(([, call]) => !['public', 'signed-in'].includes(String(call.access))))(
    '%s can be reached by some role and not by every role',
    (_name, call) => {
      const access = call.access as Exclude<typeof call.access, 'public' | 'signed-in'>;
      const reaching = ROLES.filter((role) => allows([role], access));
      expect(reaching.length).toBeGreaterThan(0);
      expect(reaching.length).toBeLessThan(ROLES.length);
    },
  );
});

describe('abilities', () => {
  it('are granted if any of the roles has them', () => {
    expect(allows(['admin'], 'monitoring.daily-checks')).toBe(false);
    expect(allows(['admin', 'operator'], 'monitoring.daily-checks')).toBe(true);
    expect(allows(['admin'], ['monitoring.daily-checks', 'common.companies'])).toBe(true);
  });

  it('are not granted by a role that nobody knows', () => {
    expect(allows(['root', '__proto__', ''], 'monitoring.daily-checks')).toBe(false);
  });
});
