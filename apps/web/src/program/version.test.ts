import { expect, test } from 'vitest';
import { createSessionStore } from '../kit/session.ts';
import { buildUser } from '../testing/builders.ts';
import { checkVersion, VERSION_KEY } from './version.ts';

function visit(stored: string | null, path = '/monitoring/dashboard') {
  if (stored !== null) localStorage.setItem(VERSION_KEY, stored);
  const session = createSessionStore(localStorage);
  session.start({ token: 'a', user: buildUser() });
  checkVersion('2.2.14', session, localStorage, path);
  return { isSignedIn: session.get() !== null, stored: localStorage.getItem(VERSION_KEY) };
}

test('signs out when the version has changed, and keeps the new one', () => {
  expect(visit('2.2.13')).toEqual({ isSignedIn: false, stored: '2.2.14' });
});

test('changes nothing while the version is the same', () => {
  expect(visit('2.2.14')).toEqual({ isSignedIn: true, stored: '2.2.14' });
});

test('has nothing to compare with at the first visit', () => {
  expect(visit(null)).toEqual({ isSignedIn: true, stored: '2.2.14' });
});

test.each(['/o365/register', '/o365/register/0193a000', '/o365/register/a-user/a-token'])(
  'signs out of no visit that begins at %s, and compares at the next one',
  (path) => {
    expect(visit('2.2.13', path)).toEqual({ isSignedIn: true, stored: '2.2.13' });
    expect(visit(null)).toEqual({ isSignedIn: false, stored: '2.2.14' });
  },
);

test('makes no exemption for what only begins alike', () => {
  expect(visit('2.2.13', '/o365/registered').isSignedIn).toBe(false);
});
