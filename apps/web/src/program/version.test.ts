import { expect, test } from 'vitest';
import { createSessionStore } from '../kit/session.ts';
import { buildUser } from '../testing/builders.ts';
import { checkVersion, VERSION_KEY } from './version.ts';

function visit(stored: string | null) {
  if (stored !== null) localStorage.setItem(VERSION_KEY, stored);
  const session = createSessionStore(localStorage);
  session.start({ token: 'a', user: buildUser() });
  checkVersion('2.2.14', session, localStorage);
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
