import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readLaunchSettings } from './launch-settings.ts';

test('starts everything for the demonstration, with the embedded database in ./data', () => {
  expect(readLaunchSettings(['start'], {})).toEqual({
    mode: 'start',
    roles: ['sandbox', 'api', 'worker'],
    dataDir: resolve('data'),
    databaseUrl: undefined,
    showDatabaseLog: false,
  });
});

test('leaves the sandbox out when it is for real', () => {
  expect(readLaunchSettings(['serve'], {}).roles).toEqual(['api', 'worker']);
});

test('starts the roles that were asked for, in the order of starting', () => {
  expect(readLaunchSettings(['start'], { ROLES: 'worker, sandbox' }).roles).toEqual(['sandbox', 'worker']);
  expect(readLaunchSettings(['serve'], { ROLES: 'api', DATABASE_URL: 'postgres://db/x' })).toMatchObject({
    roles: ['api'],
    databaseUrl: 'postgres://db/x',
  });
});

test('refuses a sandbox for real and says what to do', () => {
  expect(() => readLaunchSettings(['serve'], { ROLES: 'api,sandbox' })).toThrow(/ROLES is "api,sandbox".*npm start/);
});

test.each([
  [{ PORT: 'eighty' }, /PORT is "eighty"/],
  [{ ROLES: 'api,painter' }, /ROLES is "api,painter"/],
])('names a wrong variable and what was given: %j', (environment, message) => {
  expect(() => readLaunchSettings(['start'], environment)).toThrow(message);
});

test('refuses a mode it does not know', () => {
  expect(() => readLaunchSettings(['play'], {})).toThrow(/Cannot start with "play"/);
  expect(() => readLaunchSettings(['start', '--fast'], {})).toThrow(/Cannot start with "start --fast"/);
});

test.each([
  [{ HOST: '0.0.0.0' }, /^HOST is "0.0.0.0"[^\n]*npm run serve[^\n]*DEMONSTRATION_IN_PUBLIC=true\.$/],
  [{ PUBLIC_URL: 'https://backup.example.com' }, /^PUBLIC_URL is "https:\/\/backup\.example\.com"[^\n]*$/],
])('refuses the demonstration on a public address, in one line: %j', (environment, message) => {
  expect(() => readLaunchSettings(['start'], environment)).toThrow(message);
  expect(readLaunchSettings(['start'], { ...environment, DEMONSTRATION_IN_PUBLIC: 'true' }).mode).toBe('start');
  expect(readLaunchSettings(['serve'], environment).mode).toBe('serve');
});

test.each([{ HOST: '127.0.0.1' }, { HOST: '::1' }, { HOST: 'localhost', PUBLIC_URL: 'http://localhost:8080' }])(
  'starts the demonstration on an address of this machine: %j',
  (environment) => {
    expect(readLaunchSettings(['start'], environment).mode).toBe('start');
  },
);
