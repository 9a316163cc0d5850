import { expect, test, vi } from 'vitest';
import { buildUser } from '../testing/builders.ts';
import { createSessionStore, SESSION_KEY } from './session.ts';

const user = buildUser();

test('stores the session for the next visit', () => {
  createSessionStore(localStorage).start({ token: 'a', user });
  expect(createSessionStore(localStorage).get()).toEqual({ token: 'a', user });
});

test('has nothing after its end', () => {
  const session = createSessionStore(localStorage);
  session.start({ token: 'a', user });
  session.end();
  expect(session.get()).toBeNull();
  expect(localStorage.getItem(SESSION_KEY)).toBeNull();
});

test.each([
  ['no JSON', '{'],
  ['another shape', '{"token":"a"}'],
  ['a user of an older version', JSON.stringify({ token: 'a', user: { ...user, acl: 'admin' } })],
])('counts %s as no session', (_, stored) => {
  localStorage.setItem(SESSION_KEY, stored);
  expect(createSessionStore(localStorage).get()).toBeNull();
});

test('changes the user and leaves the token alone', () => {
  const session = createSessionStore(localStorage);
  session.start({ token: 'a', user });
  session.updateUser({ ...user, name: 'Other' });
  expect(session.get()).toEqual({ token: 'a', user: { ...user, name: 'Other' } });
});

test('does not come back to life by a late change of the user', () => {
  const session = createSessionStore(localStorage);
  session.updateUser(user);
  expect(session.get()).toBeNull();
});

const other = buildUser({ id: '0193a000-0000-7000-8000-000000000002', name: 'Other' });
const acting = { token: 'b', user: other };

test('goes on as another user, stores the own session meanwhile, and comes back to it', () => {
  const session = createSessionStore(localStorage);
  session.start({ token: 'a', user });
  session.impersonate(acting, '/monitoring/users');
  expect(createSessionStore(localStorage).get()).toEqual({
    ...acting,
    own: { token: 'a', user, page: '/monitoring/users' },
  });
  session.exit();
  expect(createSessionStore(localStorage).get()).toEqual({ token: 'a', user });
});

test('does not become the user before by a late change of that one', () => {
  const session = createSessionStore(localStorage);
  session.start({ token: 'a', user });
  session.impersonate(acting, '/');
  session.updateUser(user);
  session.updateUser({ ...other, name: 'Renamed' });
  expect(session.get()).toMatchObject({ token: 'b', user: { name: 'Renamed' }, own: { token: 'a' } });
});

test('counts a session with a malformed own one as none', () => {
  localStorage.setItem(SESSION_KEY, JSON.stringify({ ...acting, own: { token: 'a', user: {}, page: '/' } }));
  expect(createSessionStore(localStorage).get()).toBeNull();
});

test('follows a sign-out in another tab', () => {
  const session = createSessionStore(localStorage);
  session.start({ token: 'a', user });
  const listener = vi.fn();
  const stop = session.subscribe(listener);
  localStorage.removeItem(SESSION_KEY);
  window.dispatchEvent(new StorageEvent('storage', { key: SESSION_KEY }));
  expect(session.get()).toBeNull();
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
});

test('does not care about other keys of other tabs', () => {
  const session = createSessionStore(localStorage);
  const listener = vi.fn();
  const stop = session.subscribe(listener);
  window.dispatchEvent(new StorageEvent('storage', { key: 'something-else' }));
  expect(listener).not.toHaveBeenCalled();
  stop();
});

test('does not call a listener that was removed', () => {
  const session = createSessionStore(localStorage);
  const listener = vi.fn();
  session.subscribe(listener)();
  session.start({ token: 'a', user });
  expect(listener).not.toHaveBeenCalled();
});
