import { describe, expect, it } from 'vitest';
import { Targets } from './targets.ts';

describe('targets', () => {
  it('puts the verdict beside the figure', () => {
    const targets = new Targets();
    expect(targets.evaluated('p95 of the overview', '12.3', true)).toBe('12.3 met');
    expect(targets.evaluated('p95 of the ranking', '170.9', false)).toBe('170.9 missed');
  });

  it('counts what was met and missed, and names what was missed', () => {
    const targets = new Targets();
    targets.evaluated('one', '1', true);
    targets.evaluated('two', '2.00', false);
    expect(targets.summary()).toBe('Missed: two: 2.00\nTargets: 2, met: 1, missed: 1.\n');
    expect(targets.areMet).toBe(false);
  });

  it('is met only when something was evaluated and nothing missed', () => {
    const targets = new Targets();
    expect(targets.areMet).toBe(false);
    targets.evaluated('one', '1', true);
    expect(targets.areMet).toBe(true);
    expect(targets.summary()).toBe('Targets: 1, met: 1, missed: 0.\n');
  });
});
