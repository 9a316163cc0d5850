import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SignInRequest } from '../ports/identity-provider.ts';
import { quiet, testContext } from '../testing/context.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../testing/openid-provider.ts';
import { personOf } from './claims.ts';
import { manifest } from './manifest.ts';

const REQUEST: SignInRequest = {
  redirectAddress: 'https://portal.test/login/identity-provider',
  state: 'state-of-the-browser',
  nonce: 'nonce-of-the-browser',
  codeVerifier: 'v'.repeat(43),
};

let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider({ redirectAddresses: [REQUEST.redirectAddress] });
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.forged = {};
  provider.signsWithOtherKey = false;
  provider.person = { sub: 'ada', name: 'Ada', preferred_username: 'ada', groups: ['Operators'] };
});

const open = (given: Record<string, string> = {}, allowPrivateAddresses = true, of = provider) =>
  manifest.open(of.settings(given), testContext({ allowPrivateAddresses }));

async function signIn(request: Partial<SignInRequest> = {}, of = provider) {
  const opened = open({}, true, of);
  const returned = await of.signIn((await opened.begin(REQUEST, quiet())).href);
  return opened.finish(returned, { ...REQUEST, ...request }, quiet());
}

describe('a provider of OpenID Connect', () => {
  it('says who has signed in, by issuer and subject, with the groups of the token', async () => {
    provider.person = { ...provider.person, email: 'ada@example.test', email_verified: true, amr: ['pwd', 'mfa'] };
    expect(await signIn()).toEqual({
      issuer: provider.issuer,
      subject: 'ada',
      name: 'Ada',
      userName: 'ada',
      email: 'ada@example.test',
      groups: ['Operators'],
      usedSecondFactor: true,
    });
  });

  it('is asked for what its token does not say', async () => {
    const other = await startOpenIdProvider({ redirectAddresses: [REQUEST.redirectAddress], inUserInfo: true });
    try {
      other.person = { sub: 'bob', name: 'Bob', groups: ['Readers'] };
      expect(await signIn({}, other)).toMatchObject({ subject: 'bob', name: 'Bob', groups: ['Readers'] });
    } finally {
      await other.stop();
    }
  });

  it('gives an address with PKCE, state and nonce, and the redirect address that is registered', async () => {
    const { searchParams } = await open().begin(REQUEST, quiet());
    expect(Object.fromEntries(searchParams)).toMatchObject({
      redirect_uri: REQUEST.redirectAddress,
      response_type: 'code',
      state: REQUEST.state,
      nonce: REQUEST.nonce,
      code_challenge_method: 'S256',
      scope: 'openid profile email',
    });
    expect(searchParams.get('code_challenge')).not.toBe(REQUEST.codeVerifier);
  });

  it('accepts a code once', async () => {
    const opened = open();
    const returned = await provider.signIn((await opened.begin(REQUEST, quiet())).href);
    await opened.finish(returned, REQUEST, quiet());
    await expect(opened.finish(returned, REQUEST, quiet())).rejects.toMatchObject({ kind: 'not-allowed' });
  });

  it.each([
    ['another state', { state: 'of another browser' }, 'bad-reply'],
    ['another nonce', { nonce: 'of another browser' }, 'bad-reply'],
    ['another verifier', { codeVerifier: 'w'.repeat(43) }, 'not-allowed'],
    ['another redirect address', { redirectAddress: 'https://evil.test/' }, 'not-allowed'],
  ])('is refused with %s', async (_, request, kind) => {
    const opened = open();
    const returned = await provider.signIn((await opened.begin(REQUEST, quiet())).href);
    const changed = { ...REQUEST, ...request };
    const at = new URL(returned.search, changed.redirectAddress);
    await expect(opened.finish(at, changed, quiet())).rejects.toMatchObject({ kind });
  });

  it.each<[string, OpenIdProvider['forged']['claims']]>([
    ['issuer', (claims) => ({ ...claims, iss: 'https://accounts.example.com' })],
    ['audience', (claims) => ({ ...claims, aud: 'another application' })],
    ['nonce', (claims) => ({ ...claims, nonce: 'of another sign-in' })],
    ['end', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1_000) - 60 })],
    ['beginning', (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1_000) + 600 })],
    ['missing subject', ({ sub: _, ...claims }) => claims],
  ])('is refused with a token of another %s', async (_, claims) => {
    provider.forged = claims === undefined ? {} : { claims };
    await expect(signIn()).rejects.toMatchObject({ kind: 'bad-reply' });
  });

  it('is refused with a token that another key has signed', async () => {
    provider.signsWithOtherKey = true;
    await expect(signIn()).rejects.toMatchObject({ kind: 'bad-reply' });
  });

  it('is refused with an answer that names another issuer', async () => {
    const opened = open();
    const returned = await provider.signIn((await opened.begin(REQUEST, quiet())).href);
    returned.searchParams.set('iss', 'https://accounts.example.com');
    await expect(opened.finish(returned, REQUEST, quiet())).rejects.toMatchObject({ kind: 'bad-reply' });
    returned.searchParams.delete('iss');
    await expect(opened.finish(returned, REQUEST, quiet())).rejects.toMatchObject({ kind: 'bad-reply' });
  });

  it('gives the address of its sign-out, with where the browser comes back; none where it has none', async () => {
    const back = 'https://portal.test/login';
    const address = await open().signOut(back, quiet());
    expect(Object.fromEntries(address?.searchParams ?? [])).toEqual({
      client_id: 'keepwatch',
      post_logout_redirect_uri: back,
    });
    provider.forged = { discovery: ({ end_session_endpoint: _, ...document }) => document };
    expect(await open().signOut(back, quiet())).toBeNull();
    provider.forged = { discovery: (document) => ({ ...document, end_session_endpoint: 'javascript:alert(1)' }) };
    await expect(open().signOut(back, quiet())).rejects.toMatchObject({ kind: 'bad-reply' });
  });

  it('leads no browser to a program', async () => {
    provider.forged = { discovery: (document) => ({ ...document, authorization_endpoint: 'javascript:alert(1)' }) };
    await expect(open().begin(REQUEST, quiet())).rejects.toMatchObject({ kind: 'bad-reply' });
  });
});

describe('a test of its settings', () => {
  it('says that they work, without a sign-in', async () => {
    expect(await open().test(quiet())).toEqual({ version: new URL(provider.issuer).host });
  });

  it.each<[string, Record<string, string>, OpenIdProvider['forged']['discovery'], string]>([
    ['a secret that is refused', { clientSecret: 'wrong' }, undefined, 'client secret'],
    ['a client that is not there', { clientId: 'unknown' }, undefined, 'client id'],
    ['scopes that are not there', { scopes: 'openid payments' }, undefined, 'Scopes: it does not offer payments'],
    [
      'a document of another issuer',
      {},
      (document) => ({ ...document, issuer: 'https://accounts.example.com' }),
      'issuer',
    ],
    [
      'a document without a place for codes',
      {},
      ({ token_endpoint: _, ...document }) => document,
      'lacks token_endpoint',
    ],
    [
      'no PKCE',
      {},
      (document) => ({ ...document, code_challenge_methods_supported: ['plain'] }),
      'does not offer PKCE',
    ],
  ])('says what is wrong: %s', async (_, given, discovery, text) => {
    provider.forged = discovery === undefined ? {} : { discovery };
    await expect(open(given).test(quiet())).rejects.toThrow(text);
  });

  it('calls no private address where that is not allowed', async () => {
    const asked = provider.asked.length;
    await expect(open({}, false).test(quiet())).rejects.toThrow('ALLOW_PRIVATE_ADDRESSES');
    expect(provider.asked).toHaveLength(asked);
  });

  it.each([
    ['https://login.microsoftonline.com/common/v2.0', 'every organization'],
    ['https://login.microsoftonline.com/organizations/v2.0', 'every organization'],
    ['https://login.microsoftonline.com/{tenantid}/v2.0', 'every organization'],
    ['https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0', 'the id of your tenant'],
    ['http://login.example.com', 'https://'],
    ['http://127.0.0.1.example.com', 'https://'],
    ['https://user:word@login.example.com', 'https://'],
    ['ftp://login.example.com', 'https://'],
    ['login.example.com', 'https://'],
  ])('refuses the issuer %s', (issuer, text) => {
    expect(() => open({ issuer })).toThrow(text);
  });

  it('accepts one tenant of Microsoft Entra, by its id', () => {
    const tenant = 'b6c1b1f4-6f5e-4c59-8bd6-0d0e54d0c0aa';
    expect(() => open({ issuer: `https://login.microsoftonline.com/${tenant}/v2.0` })).not.toThrow();
  });
});

describe('the claims of a person', () => {
  const claims = { iss: 'https://login.example.com', sub: '1' };

  it('have an address only where it was verified, by nothing but true', () => {
    const email = 'root@example.com';
    expect(personOf({ ...claims, email, email_verified: true }, 'groups').email).toBe(email);
    for (const verified of [undefined, false, 'true', 1, 'yes'])
      expect(personOf({ ...claims, email, email_verified: verified }, 'groups').email).toBeNull();
  });

  it('have no groups where Entra left them out, which is not the same as none', () => {
    const overage = { ...claims, _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } };
    expect(personOf(overage, 'groups').groups).toBeNull();
    expect(personOf({ ...claims, hasgroups: true }, 'groups').groups).toBeNull();
    expect(personOf(claims, 'groups').groups).toEqual([]);
  });

  it('may have one group, and groups under another name', () => {
    expect(personOf({ ...claims, roles: 'Operators' }, 'roles').groups).toEqual(['Operators']);
    expect(personOf({ ...claims, groups: ['a', 1, null, { b: 1 }] }, 'groups').groups).toEqual(['a']);
  });

  it('lose signs that cannot be seen, and are cut', () => {
    const name = `\u202eadA\u200b ${'x'.repeat(300)}`;
    expect(personOf({ ...claims, name }, 'groups').name).toBe(`adA ${'x'.repeat(196)}`);
  });

  it('need a subject', () => {
    for (const sub of [undefined, '', 7, 's'.repeat(256)])
      expect(() => personOf({ ...claims, sub }, 'groups')).toThrow('sub');
  });
});
