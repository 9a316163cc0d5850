import { describe, expect, it } from 'vitest';
import { readSettings, WrongSettings } from './settings.ts';

describe('settings', () => {
  it('have a sensible value each when nothing is given', () => {
    expect(readSettings({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      DATABASE_URL: '',
      DATA_DIR: './data',
      LOG_LEVEL: 'info',
    });
  });

  it('name every wrong variable, what was given and what is accepted, in one line', () => {
    const read = () => readSettings({ PORT: '80800', LOG_LEVEL: 'loud', ROLES: 'api,boss' });
    expect(read).toThrow(WrongSettings);
    expect(read).toThrow(
      /^[^\n]*PORT is "80800"[^\n]*65535[^\n]*LOG_LEVEL is "loud"[^\n]*$|^[^\n]*LOG_LEVEL[^\n]*PORT[^\n]*$/,
    );
    expect(read).toThrow(/ROLES/);
  });

  it('never repeat a secret', () => {
    expect(() => readSettings({ DATABASE_URL: 'postgres://me:hunter2@db/x', PORT: 'x' })).not.toThrow(/hunter2/);
    expect(() => readSettings({ METRICS_TOKEN: 'hunter2' })).toThrow(
      /METRICS_TOKEN is a value that is not shown: .*at least 20 characters/,
    );
    expect(() => readSettings({ METRICS_TOKEN: 'hunter2' })).not.toThrow(/hunter2/);
  });

  it('leave it to the machine how many runs a worker does at once, unless it is said', () => {
    const runsOf = (environment: Record<string, string>) => readSettings(environment).RUNS_AT_ONCE;
    expect(runsOf({})).toBeNull();
    expect(runsOf({ RUNS_AT_ONCE: '' })).toBeNull();
    expect(runsOf({ RUNS_AT_ONCE: '3' })).toBe(3);
    for (const wrong of ['0', '65', '1.5', 'many'])
      expect(() => runsOf({ RUNS_AT_ONCE: wrong })).toThrow(/RUNS_AT_ONCE is .*: .*whole number from 1 to 64/);
  });

  it('name a folder for repositories in the demonstration alone, unless it is set', () => {
    const rootOf = (environment: Record<string, string>) => readSettings(environment).REPOSITORY_ROOT;
    expect(rootOf({})).toBe('');
    expect(rootOf({ KEEPWATCH_MODE: 'start', DATA_DIR: '/data' })).toBe('/data/repositories');
    expect(rootOf({ REPOSITORY_ROOT: '/backups' })).toBe('/backups');
    expect(() => rootOf({ REPOSITORY_ROOT: 'backups' })).toThrow(
      /REPOSITORY_ROOT is "backups": it is empty or the whole/,
    );
  });

  it('allow private addresses for sources in the demonstration alone, unless they are set', () => {
    const allowed = (environment: Record<string, string>) => readSettings(environment).ALLOW_PRIVATE_ADDRESSES;
    expect([allowed({}), allowed({ KEEPWATCH_MODE: 'serve' }), allowed({ KEEPWATCH_MODE: 'start' })]).toEqual([
      false,
      false,
      true,
    ]);
    expect(allowed({ KEEPWATCH_MODE: 'serve', ALLOW_PRIVATE_ADDRESSES: 'true' })).toBe(true);
    expect(allowed({ KEEPWATCH_MODE: 'start', ALLOW_PRIVATE_ADDRESSES: 'false' })).toBe(false);
  });
});
