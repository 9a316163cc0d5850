import { type OpenIdProvider, startOpenIdProvider } from '@keepwatch/connectors/testing/openid-provider';
import { getBranding } from '@keepwatch/contract/branding/branding';
import { createConnection, deleteConnection, editConnection } from '@keepwatch/contract/connections/connections';
import { changeUserPassword, deleteUser, editUser, inviteUser, listUsers } from '@keepwatch/contract/directory/users';
import { createApiKey } from '@keepwatch/contract/identity/api-keys';
import { editGroups, type GroupLine } from '@keepwatch/contract/identity/identity-providers';
import { addPasskey, beginPasskey, beginPasskeySignIn, signInWithPasskey } from '@keepwatch/contract/identity/passkeys';
import { changeOwnPassword, requestPasswordLink } from '@keepwatch/contract/identity/passwords';
import { beginAuthenticator } from '@keepwatch/contract/identity/second-factors';
import { getProfile, signIn, signOut } from '@keepwatch/contract/identity/sessions';
import { editSignInRules } from '@keepwatch/contract/identity/sign-in-rules';
import { beginSingleSignOn, finishSingleSignOn, RETURN_PATH } from '@keepwatch/contract/identity/single-sign-on';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { row, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { buildCompany } from '../../testing/builders.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { forgetExpired } from '../identity.jobs.ts';
import { addAuthenticator } from '../second-factors/testing/authenticator-app.ts';
import { softwareAuthenticator } from '../second-factors/testing/software-authenticator.ts';
import { Browser } from './testing/browser.ts';

const MINUTE_MS = 60_000;
const OPERATORS: GroupLine = { group: 'Operators', roles: ['operator'], companyIds: null };

let portal: TestPortal;
let provider: OpenIdProvider;
let admin: Caller;
let id: string;

beforeAll(async () => {
  portal = await startTestPortal(undefined, { trustedProxies: 1 });
  const hosts = ['https://portal.test', 'https://other.localhost'];
  provider = await startOpenIdProvider({
    redirectAddresses: hosts.map((host) => host + RETURN_PATH),
    signedOutAddresses: ['https://portal.test/login'],
  });
  admin = await portal.as('super-admin');
  id = await connect();
});
afterAll(async () => {
  await portal.stop();
  await provider.stop();
});

let persons = 0;
beforeEach(() => {
  persons += 1;
  portal.clock.now = TEST_NOW;
  provider.forged = {};
  provider.signsWithOtherKey = false;
  provider.person = { sub: `person-${persons}`, name: `Ada ${persons}`, groups: ['Operators'] };
});

async function connect(given: Record<string, string> = {}, { caller = admin, lines = [OPERATORS] } = {}) {
  const settings = provider.settings(given);
  const body = { port: 'identity-provider', kind: 'openid-connect', name: 'Contoso', settings };
  const { data } = await caller.call(createConnection, { body });
  await caller.call(editGroups, { params: { id: data._id }, body: { groups: lines } });
  return data._id;
}

/** Work with a connection of its own, which is gone afterwards. */
async function withConnection(
  given: Record<string, string>,
  work: (id: string) => Promise<void>,
  options: Parameters<typeof connect>[1] = {},
): Promise<void> {
  const own = await connect(given, options);
  try {
    await work(own);
  } finally {
    await (options.caller ?? admin).call(deleteConnection, { params: { id: own } });
  }
}

const newBrowser = (host?: string) => new Browser(portal, host);
const signInNew = (at = id) => newBrowser().signIn(at, provider);

interface Entry {
  username: string;
  userId: string | null;
  after: { reason?: string } | null;
}

const refusals = () =>
  rows<Entry>(
    portal.database,
    sql`select username, user_id as "userId", after from audit_entries where action = 'session.refused' order by at desc, id`,
  );

/** The reasons that the users logs gained by some work. */
async function reasonsOf(work: () => Promise<unknown>): Promise<(string | undefined)[]> {
  await rows(portal.database, sql`delete from audit_entries where action = 'session.refused'`);
  await work();
  return (await refusals()).map(({ after }) => after?.reason);
}

describe('a sign-in through an identity provider', () => {
  it('adds the person as a user with the roles of the group, and opens a session', async () => {
    const reply = await signInNew();
    expect(reply).toMatchObject({
      status: 200,
      user: { name: `Ada ${persons}`, acl: [{ role: 'operator' }], companyIds: null, hasPassword: false },
    });
    const headers = { authorization: `Bearer ${reply.token}` };
    const profile = await portal.anonymous.raw('GET', `/api/profile/${reply.userId}`, { headers });
    expect(profile.status).toBe(200);
    const logged = await rows<{ action: string }>(
      portal.database,
      sql`select action from audit_entries where user_id = ${reply.userId} order by action`,
    );
    expect(logged.map(({ action }) => action)).toEqual(['session.sign-in', 'user.create']);
  });

  it('is known by its subject: the same user again, with another name', async () => {
    const first = await signInNew();
    provider.person = { ...provider.person, name: 'Ada Lovelace', preferred_username: 'lovelace' };
    const second = await signInNew();
    expect(second.userId).toBe(first.userId);
    expect(second.user).toMatchObject({ name: 'Ada Lovelace', username: first.user.username });
  });

  it('gives the companies of the first line whose group the person is in, and follows the groups each time', async () => {
    const companyId = await buildCompany(portal.database);
    const limited: GroupLine = { group: 'Readers', roles: ['read-only'], companyIds: [companyId] };
    await withConnection(
      {},
      async (own) => {
        provider.person = { ...provider.person, groups: ['Operators', 'Readers'] };
        const first = await signInNew(own);
        expect(first.user).toMatchObject({ acl: [{ role: 'read-only' }], companyIds: [companyId] });
        provider.person = { ...provider.person, groups: ['Operators'] };
        expect((await signInNew(own)).user).toMatchObject({ acl: [{ role: 'operator' }], companyIds: null });
        const [edit] = await rows(
          portal.database,
          sql`select before, after from audit_entries where action = 'user.edit' and user_id = ${first.userId}`,
        );
        expect(edit).toEqual({
          before: { roles: ['read-only'], companyIds: [companyId] },
          after: { roles: ['operator'], companyIds: null },
        });
      },
      { lines: [limited, OPERATORS] },
    );
  });

  it('shows its buttons with the brand, and only those of the own provider', async () => {
    const brandOf = async (domain: string) => (await portal.anonymous.call(getBranding, { query: { domain } })).data;
    expect(await brandOf('localhost')).toMatchObject({
      identityProviders: [{ id, name: 'Contoso' }],
      hasPasswords: true,
    });
    expect(await brandOf('other.localhost')).toMatchObject({ identityProviders: [], hasPasswords: true });
  });

  it('leads back to the host of the brand as it is set, whatever the request says', async () => {
    const browser = newBrowser('evil.example.com');
    browser.headers = {
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example.com',
      origin: 'https://evil.example.com',
    };
    const address = new URL(await browser.addressAt(id));
    expect(address.searchParams.get('redirect_uri')).toBe(`https://portal.test${RETURN_PATH}`);
  });

  it('stores neither state nor browser nor anything that redeems a code, and binds the cookie to the host', async () => {
    const browser = newBrowser();
    const reply = await browser.begin(id);
    const [line = ''] = reply.headers.getSetCookie();
    expect(line).toMatch(
      /^__Host-keepwatch-sign-in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict; Secure$/,
    );
    const stored = JSON.stringify(await rows(portal.database, sql`select * from begun_sign_ins`));
    const state = new URL((await reply.json()).data.address).searchParams.get('state') ?? '';
    for (const secret of [state, ...browser.cookies.values()])
      for (const form of [secret, Buffer.from(secret, 'base64url').toString('hex')]) expect(stored).not.toContain(form);
  });

  it('404: begins with no connection of another provider, of another kind, that is switched off or that is not there', async () => {
    const mail = newId();
    const send = (connectionId: string) => portal.anonymous.send(beginSingleSignOn, { params: { id: connectionId } });
    expect((await send(mail)).status).toBe(404);
    expect((await newBrowser('other.localhost').begin(id)).status).toBe(404);
    await withConnection({}, async (own) => {
      const body = { name: 'Contoso', isEnabled: false, settings: provider.settings({ clientSecret: '' }) };
      await admin.call(editConnection, { params: { id: own }, body });
      expect((await send(own)).status).toBe(404);
    });
  });
});

describe('what does not belong to a sign-in of this browser', () => {
  it('401: a state that was used, with its code', async () => {
    const browser = newBrowser();
    const query = await browser.comeBack(id, provider);
    expect((await browser.finish(query)).status).toBe(200);
    expect(await refusal(browser.finish(query))).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
  });

  it('401: the state of another browser, which can still use it', async () => {
    const victim = newBrowser();
    const query = await victim.comeBack(id, provider);
    const attacker = newBrowser();
    await attacker.begin(id);
    expect((await attacker.finish(query)).status).toBe(401);
    expect((await newBrowser().finish(query)).status).toBe(401);
    expect((await victim.finish(query)).status).toBe(200);
  });

  it('401: the code of another person, sent with the own state', async () => {
    const attacker = newBrowser();
    const code = new URLSearchParams(await attacker.comeBack(id, provider)).get('code') ?? '';
    const victim = newBrowser();
    const params = new URLSearchParams(await victim.comeBack(id, provider));
    params.set('code', code);
    expect(await refusal(victim.finish(params.toString()))).toMatchObject({
      status: 401,
      code: 'IDENTITY_PROVIDER_FAILED',
      message: 'Contoso did not confirm who you are. Log in again; if that does not help, ask your administrator.',
    });
  });

  it('401: two states or two codes', async () => {
    for (const name of ['state', 'code']) {
      const browser = newBrowser();
      const query = await browser.comeBack(id, provider);
      expect((await browser.finish(`${query}&${name}=${'x'.repeat(43)}`)).status).toBe(401);
    }
  });

  it('401: an answer that came too late', async () => {
    const browser = newBrowser();
    const query = await browser.comeBack(id, provider);
    portal.clock.now = new Date(TEST_NOW.getTime() + 10 * MINUTE_MS);
    expect((await browser.finish(query)).status).toBe(401);
    await forgetExpired(portal.database, portal.clock.now);
    expect(await rows(portal.database, sql`select from begun_sign_ins`)).toEqual([]);
  });

  it('401: a sign-in that was begun at the host of another brand', async () => {
    const browser = newBrowser();
    const query = await browser.comeBack(id, provider);
    const other = newBrowser('other.localhost');
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    expect((await other.finish(query)).status).toBe(401);
  });

  it('401: what is nothing at all, and each time the users logs say so', async () => {
    const reasons = await reasonsOf(async () => {
      for (const query of ['', 'state=', 'code=a&state=b', '%', '?state=x', '\u{1f511}'])
        expect((await portal.anonymous.send(finishSingleSignOn, { body: { query } })).status).toBe(401);
    });
    expect(new Set(reasons)).toEqual(new Set(['no sign-in that this browser has begun']));
    expect(reasons).toHaveLength(6);
  });

  it('401: a person who said no there', async () => {
    const browser = newBrowser();
    const state = new URL(await browser.addressAt(id)).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, iss: provider.issuer, error: 'access_denied' }).toString();
    const [reason] = await reasonsOf(async () => expect((await browser.finish(query)).status).toBe(401));
    expect(reason).toBe('It refused the sign-in (access_denied).');
  });
});

describe('a provider that cannot be trusted', () => {
  it.each([
    ['issuer', { iss: 'https://accounts.example.com' }],
    ['audience', { aud: 'another application' }],
    ['nonce', { nonce: 'of another sign-in' }],
  ])('401: about the %s', async (_, changes) => {
    provider.forged = { claims: (claims) => ({ ...claims, ...changes }) };
    const [reason] = await reasonsOf(async () => {
      expect(await signInNew()).toMatchObject({ status: 401, code: 'IDENTITY_PROVIDER_FAILED' });
    });
    expect(reason).toContain('cannot be trusted');
  });

  it('401: by a key that it does not publish', async () => {
    provider.signsWithOtherKey = true;
    expect((await signInNew()).status).toBe(401);
  });

  it('gets no account by the mail address or the name of an administrator, verified or not', async () => {
    const root = await portal.as(['super-admin', 'admin']);
    const email = `${root.username}@example.test`;
    provider.person = { ...provider.person, email, email_verified: false, preferred_username: root.username };
    const reply = await signInNew();
    expect(reply.userId).not.toBe(root.userId);
    expect(reply.user).toMatchObject({ email: '', acl: [{ role: 'operator' }] });
    expect(reply.user.username).toMatch(/^user-[0-9a-f]{8}$/);
    provider.person = { ...provider.person, sub: `second-${persons}`, email_verified: true };
    const verified = await signInNew();
    expect(verified.userId).not.toBe(root.userId);
    expect(verified.user).toMatchObject({ email, acl: [{ role: 'operator' }] });
  });

  it('gives no user name that looks like another one, and no group that does', async () => {
    provider.person = { ...provider.person, preferred_username: 'аdmin' };
    expect((await signInNew()).user.username).toMatch(/^user-[0-9a-f]{8}$/);
    for (const group of ['Ореrators', 'operators', 'Operators ', 'Ｏperators']) {
      provider.person = { sub: `look-alike-${persons}`, groups: [group] };
      expect((await signInNew()).status).toBe(403);
    }
  });

  it('503: that is gone says so, and its connection fails', async () => {
    const other = await startOpenIdProvider({ redirectAddresses: [`https://portal.test${RETURN_PATH}`] });
    const body = { port: 'identity-provider', kind: 'openid-connect', name: 'Fabrikam', settings: other.settings() };
    const { data } = await admin.call(createConnection, { body });
    await other.stop();
    expect(await refusal(newBrowser().begin(data._id))).toMatchObject({
      status: 503,
      message: 'Fabrikam does not answer. Try again in a few minutes, or ask your administrator.',
    });
    const health = await row(portal.database, sql`select health from connections where id = ${data._id}`);
    expect(health).toEqual({ health: 'failing' });
    await admin.call(deleteConnection, { params: { id: data._id } });
  });
});

describe('a person of two brands', () => {
  it('is a user of each of them, and neither is let in at the other', async () => {
    const stranger = await portal.as('super-admin', { providerId: 2 });
    await withConnection(
      {},
      async (other) => {
        const first = await signInNew();
        const second = await newBrowser('other.localhost').signIn(other, provider);
        expect(second.userId).not.toBe(first.userId);
        expect([first.user.serviceProviderId, second.user.serviceProviderId]).toEqual([1, 2]);
        expect((await newBrowser().begin(other)).status).toBe(404);
      },
      { caller: stranger },
    );
  });
});

describe('a person who may not sign in here', () => {
  it.each([
    ['in no group that has a line', { groups: ['Guests'] }, 'no group', 'None of your groups at Contoso gives access'],
    ['without groups', { groups: [] }, 'no group', 'None of your groups at Contoso gives access'],
    [
      'whose groups Entra left out',
      { groups: undefined, _claim_names: { groups: 'src1' } },
      'too many groups',
      'You are in more groups than Contoso sends.',
    ],
  ])('403: %s', async (_, changes, reason, text) => {
    provider.forged = { claims: (claims) => ({ ...claims, ...changes }) };
    const reasons = await reasonsOf(async () => {
      const reply = await signInNew();
      expect(reply).toMatchObject({ status: 403, code: 'NOT_ADMITTED' });
      expect(reply.message).toContain(text);
    });
    expect(reasons).toEqual([reason]);
    expect(await rows(portal.database, sql`select from users where name = ${`Ada ${persons}`}`)).toEqual([]);
  });

  it('403: is not known, where no users are added', async () => {
    await withConnection({ createsUsers: 'false' }, async (own) => {
      expect(await signInNew(own)).toMatchObject({ status: 403, code: 'NOT_ADMITTED' });
      await signInNew();
      expect((await signInNew(own)).status).toBe(200);
    });
  });

  it('403: is disabled or deleted here, and the session that was open ends', async () => {
    const { userId, token } = await signInNew();
    const boss = await portal.as(['admin', 'super-admin']);
    const account = { name: 'Ada', email: 'ada@example.test', roles: ['operator' as const] };
    await boss.call(editUser, { params: { id: userId }, body: { ...account, isDisabled: true } });
    const headers = { authorization: `Bearer ${token}` };
    expect((await portal.anonymous.raw('GET', `/api/profile/${userId}`, { headers })).status).toBe(401);
    expect((await signInNew()).status).toBe(403);
    await boss.call(editUser, { params: { id: userId }, body: { ...account, isDisabled: false } });
    expect((await signInNew()).userId).toBe(userId);
    await boss.call(deleteUser, { params: { id: userId }, body: { reason: 'has left' } });
    expect((await signInNew()).status).toBe(403);
  });

  it('401: after the sign-out, with the token of the session', async () => {
    const { userId, username, token } = { username: '', ...(await signInNew()) };
    const caller = portal.callerOf({ userId, username, token });
    await caller.call(signOut, {});
    expect((await caller.send(getProfile, { params: { id: userId } })).status).toBe(401);
  });
});

describe('the sign-out of who has signed in through an identity provider', () => {
  const signedIn = async () => {
    const { userId, token } = await signInNew();
    return portal.callerOf({ userId, username: '', token });
  };

  it('leads to that of the provider, which leads back to the sign-in page', async () => {
    const { address } = await (await signedIn()).call(signOut, {});
    expect((await provider.signOut(address ?? '')).href).toBe('https://portal.test/login');
    expect(provider.asked.slice(-2)).toEqual(['/session/end', '/session/end/confirm']);
  });

  it.each<[string, typeof provider.forged.discovery]>([
    ['has none', ({ end_session_endpoint: _, ...document }) => document],
    ['leads to a program', (document) => ({ ...document, end_session_endpoint: 'javascript:alert(1)' })],
    ['cannot be trusted', (document) => ({ ...document, issuer: 'https://accounts.example.com' })],
  ])('is all where that of the provider %s', async (_, discovery) => {
    const caller = await signedIn();
    provider.forged = { ...(discovery && { discovery }) };
    expect((await caller.call(signOut, {})).address).toBeNull();
    expect((await caller.send(getProfile, { params: { id: caller.userId } })).status).toBe(401);
  });

  it('leads nowhere for who has signed in with a password', async () => {
    expect((await (await portal.as('operator')).call(signOut, {})).address).toBeNull();
  });
});

describe('a user who signs in elsewhere', () => {
  const userOf = async (at = id) => {
    const { userId, user, token } = await signInNew(at);
    return portal.callerOf({ userId, username: user.username, token });
  };

  it('has no password, and gets none by any way', async () => {
    const person = await userOf();
    const boss = await portal.as(['admin', 'super-admin']);
    const params = { id: person.userId };
    const password = 'a password of twelve';
    expect((await boss.send(changeUserPassword, { params, body: { password } })).status).toBe(409);
    expect((await boss.send(inviteUser, { params })).status).toBe(409);
    const listed = (ids: string[]) => boss.call(listUsers, { query: { ids } });
    expect((await listed([person.userId])).data).toMatchObject([{ authType: 'db', signsInElsewhere: true }]);
    expect((await listed([boss.userId])).data).toMatchObject([{ authType: 'db', signsInElsewhere: false }]);
    const own = { params, body: { password: 'anything', newPassword: password } };
    expect((await person.send(changeOwnPassword, own)).status).toBe(409);
    for (const given of ['elsewhere', 'none'])
      expect(
        (await portal.anonymous.send(signIn, { body: { username: person.username, password: given } })).status,
      ).toBe(401);
    await portal.anonymous.call(requestPasswordLink, { body: { login: person.username } });
  });

  it('adds a second factor within ten minutes of the sign-in, without a password', async () => {
    const person = await userOf();
    const request = { params: { id: person.userId }, body: { password: '-' } };
    expect((await person.send(beginAuthenticator, request)).status).toBe(200);
    portal.clock.now = new Date(TEST_NOW.getTime() + 11 * MINUTE_MS);
    expect(await refusal(person.send(beginAuthenticator, request))).toMatchObject({
      status: 401,
      code: 'SIGN_IN_AGAIN',
    });
  });

  it('is asked for its own second factor, unless the provider has asked for one and is trusted', async () => {
    await addAuthenticator(await userOf(), portal.clock.now, '-');
    provider.person = { ...provider.person, amr: ['mfa'] };
    expect(await signInNew()).toMatchObject({
      status: 200,
      secondFactor: { kinds: ['authenticator', 'recovery-code'] },
    });
    await withConnection({ trustsSecondFactor: 'true' }, async (own) => {
      expect(await signInNew(own)).toMatchObject({ status: 200, token: expect.any(String) });
    });
  });

  it('403: does not log in with a passkey alone, nor makes an API key', async () => {
    const person = await userOf();
    const device = softwareAuthenticator();
    const params = { id: person.userId };
    const { data: asked } = await person.call(beginPasskey, { params, body: { password: '-' } });
    const added = { name: 'Laptop', challenge: asked.challenge, proof: device.register(asked) };
    await person.call(addPasskey, { params, body: added });
    const { data: request } = await portal.anonymous.call(beginPasskeySignIn, {});
    const body = { challenge: request.challenge, proof: device.prove(request) };
    expect((await portal.anonymous.send(signInWithPasskey, { body })).status).toBe(403);
    const key = { name: 'Script', abilities: ['monitoring.dashboard' as const], days: 30, password: '-' };
    expect((await person.send(createApiKey, { params, body: key })).status).toBe(409);
  });

  it('has to add one where that is required, unless the provider has asked for one and is trusted', async () => {
    await admin.call(editSignInRules, { body: { requiresSecondFactor: true } });
    try {
      provider.person = { ...provider.person, amr: ['pwd', 'mfa'] };
      expect((await signInNew()).user).toMatchObject({ secondFactorNeeded: true });
      await withConnection({ trustsSecondFactor: 'true' }, async (own) => {
        expect((await signInNew(own)).user).toMatchObject({ secondFactorNeeded: false });
        provider.person = { ...provider.person, amr: ['pwd'] };
        expect((await signInNew(own)).user).toMatchObject({ secondFactorNeeded: true });
      });
    } finally {
      await admin.call(editSignInRules, { body: { requiresSecondFactor: false } });
    }
  });
});

describe('passwords, where an identity provider replaces them', () => {
  it('403: no longer sign in, but for super administrators; a wrong one is refused as ever', async () => {
    const [operator, root] = [await portal.as('operator'), await portal.as('super-admin')];
    const send = (username: string, password = PASSWORD) =>
      refusal(portal.anonymous.send(signIn, { body: { username, password } }));
    await withConnection({ replacesPasswords: 'true' }, async () => {
      const { data } = await portal.anonymous.call(getBranding, { query: {} });
      expect(data.hasPasswords).toBe(false);
      expect(await send(operator.username)).toMatchObject({ status: 403, code: 'NOT_ADMITTED' });
      expect(await send(operator.username, 'wrong')).toMatchObject({ status: 401, code: 'WRONG_CREDENTIALS' });
      expect((await send(root.username)).status).toBe(200);
    });
    expect((await send(operator.username)).status).toBe(200);
  });
});
