import { listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { listOwnSessions, revokeOtherSessions, revokeOwnSession } from '@keepwatch/contract/identity/own-sessions';
import { getProfile } from '@keepwatch/contract/identity/sessions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../foundation/secrets.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

/** Another session of the same user, signed in with a browser. */
async function signInAgain({ userId, username }: Caller): Promise<Caller> {
  const reply = await portal.anonymous.raw('POST', '/api/auth/login/db', {
    body: JSON.stringify({ username, password: PASSWORD }),
    headers: { 'user-agent': FIREFOX },
  });
  return portal.callerOf({ userId, username, token: (await reply.json()).token });
}

const statusOf = async (caller: Caller) => (await caller.send(getProfile, { params: { id: caller.userId } })).status;

const listOf = async (caller: Caller) => (await caller.call(listOwnSessions, { params: { id: caller.userId } })).data;

describe('GET profile/{id}/sessions', () => {
  it('200: says of each session on which device it is, since when, when it was last used, and which is this one', async () => {
    const first = await portal.as('operator');
    portal.clock.now = new Date(TEST_NOW.getTime() + 10 * 60_000);
    const second = await signInAgain(first);
    const [own, other] = await listOf(second);
    expect(own).toMatchObject({ device: 'Firefox on Linux', address: '127.0.0.1', isThis: true, impersonator: null });
    expect(own?.createdAt).toBe(portal.clock.now.toISOString());
    expect(other).toMatchObject({ isThis: false, createdAt: TEST_NOW.toISOString(), lastAt: TEST_NOW.toISOString() });
    await statusOf(first);
    expect((await listOf(second))[1]?.lastAt).toBe(portal.clock.now.toISOString());
    portal.clock.now = TEST_NOW;
  });

  it('404: for the profile of another user', async () => {
    const [one, other] = [await portal.as('operator'), await portal.as('operator')];
    expect((await refusal(one.send(listOwnSessions, { params: { id: other.userId } }))).status).toBe(404);
  });
});

describe('DELETE profile/{id}/sessions', () => {
  it('200: ends one session at once, with what it was in the users logs', async () => {
    const first = await portal.as('operator');
    const second = await signInAgain(first);
    const other = (await listOf(first)).find(({ isThis }) => !isThis);
    await first.call(revokeOwnSession, { params: { id: first.userId, sessionId: other?._id ?? '' } });
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 401]);
    const admin = await portal.as('admin');
    const { data } = await admin.call(listUserLogs, { query: { userIds: first.userId, actions: 'session.revoke' } });
    expect(data).toMatchObject([{ before: { device: 'Firefox on Linux', address: '127.0.0.1' } }]);
  });

  it('404: ends no session of another user, and none that is not there', async () => {
    const [one, other] = [await portal.as('operator'), await portal.as('operator')];
    const [foreign] = await listOf(other);
    for (const sessionId of [foreign?._id ?? '', newId()])
      expect((await refusal(one.send(revokeOwnSession, { params: { id: one.userId, sessionId } }))).status).toBe(404);
    expect(await statusOf(other)).toBe(200);
  });

  it('200: ends all others, and says how many there were; 404: not those of another user', async () => {
    const first = await portal.as('operator');
    const others = [await signInAgain(first), await signInAgain(first)];
    const params = { id: first.userId };
    expect((await first.call(revokeOtherSessions, { params })).data).toEqual({ ended: 2 });
    expect((await first.call(revokeOtherSessions, { params })).data).toEqual({ ended: 0 });
    expect([await statusOf(first), ...(await Promise.all(others.map(statusOf)))]).toEqual([200, 401, 401]);
    expect((await refusal(first.send(revokeOtherSessions, { params: { id: newId() } }))).status).toBe(404);
  });
});
