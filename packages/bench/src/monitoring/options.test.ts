import { describe, expect, it } from 'vitest';
import { OptionsError, readOptions } from './options.ts';

describe('options of the benchmark of monitoring', () => {
  it('measures everything at 10 and 100 days by default', () => {
    expect(readOptions([])).toEqual({ days: [10, 100], parts: ['calls', 'intake', 'single'] });
  });

  it('reads the days of each step', () => {
    expect(readOptions(['--days', '1,5,20'])).toMatchObject({ days: [1, 5, 20] });
    expect(readOptions(['--days=7'])).toMatchObject({ days: [7] });
  });

  it('measures the intake alone on little data', () => {
    expect(readOptions(['--only', 'intake'])).toEqual({ days: [3], parts: ['intake'] });
    expect(readOptions(['--only', 'intake', '--days', '10'])).toEqual({ days: [10], parts: ['intake'] });
  });

  it('measures single reports alone', () => {
    expect(readOptions(['--only', 'single'])).toMatchObject({ parts: ['single'] });
  });

  it.each(['x', '', '0', '-5', '1.5', '10,', '100,10', '5,5', '1e2', '731'])(
    'refuses the days "%s" in one line that says what is accepted',
    (days) => {
      expect(() => readOptions([`--days=${days}`])).toThrow(OptionsError);
      expect(() => readOptions([`--days=${days}`])).toThrow(/^--days .*: whole numbers from 1 to 730.*\.$/);
    },
  );

  it('refuses what it does not know', () => {
    expect(() => readOptions(['--only', 'all'])).toThrow('--only all: there are calls, intake and single.');
    expect(() => readOptions(['--dayz', '3'])).toThrow(OptionsError);
    expect(() => readOptions(['--days'])).toThrow(OptionsError);
    expect(() => readOptions(['intake'])).toThrow(OptionsError);
  });
});
