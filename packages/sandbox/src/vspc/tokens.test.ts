import { beforeEach, describe, expect, test } from 'vitest';
import { TokenError, Tokens } from './tokens.ts';

const credentials = { username: 'keystone\\portal', password: 'secret', apiKey: 'key-of-the-portal' };
const signIn = { grant_type: 'password', username: credentials.username, password: credentials.password };
let nowMs = 0;
let tokens: Tokens;

beforeEach(() => {
  nowMs = Date.parse('2026-11-21T09:00:00Z');
  tokens = new Tokens(credentials, 3_600_000, () => nowMs);
});

describe('signing in', () => {
  test('returns a token that is accepted', () => {
    const reply = tokens.issue(signIn);
    expect(reply).toMatchObject({ token_type: 'bearer', expires_in: 3600, mfa_token: null });
    expect(() => tokens.check(`Bearer ${reply.access_token}`)).not.toThrow();
  });

  test('takes the user name in any case, and the password in its own', () => {
    expect(() => tokens.issue({ ...signIn, username: 'KEYSTONE\\Portal' })).not.toThrow();
    expect(() => tokens.issue({ ...signIn, password: 'SECRET' })).toThrow(TokenError);
  });

  test.each([
    [{ ...signIn, password: 'wrong' }, 'invalid_grant'],
    [{ ...signIn, username: 'unknown' }, 'invalid_grant'],
    [{ grant_type: 'password', username: 'x' }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'made-up' }, 'invalid_grant'],
    [{ grant_type: 'telepathy' }, 'unsupported_grant_type'],
    [{}, 'invalid_request'],
  ])('refuses %j with %s', (form, error) => {
    expect(() => tokens.issue(form)).toThrow(expect.objectContaining({ error }));
  });
});

describe('an access token', () => {
  test('ends after its hour, to the millisecond', () => {
    const { access_token } = tokens.issue(signIn);
    nowMs += 3_599_999;
    expect(() => tokens.check(`Bearer ${access_token}`)).not.toThrow();
    nowMs += 1;
    expect(() => tokens.check(`Bearer ${access_token}`)).toThrow('expired');
  });

  test.each([undefined, '', 'Basic abc', 'Bearer', 'Bearer made-up'])(
    'of the form %s is refused with 401',
    (header) => {
      expect(() => tokens.check(header)).toThrow(expect.objectContaining({ status: 401, type: 'security' }));
    },
  );
});

describe('a refresh token', () => {
  test('brings new tokens once, also when the access token has ended', () => {
    const first = tokens.issue(signIn);
    nowMs += 2 * 3_600_000;
    const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const second = tokens.issue(form);
    expect(() => tokens.check(`Bearer ${second.access_token}`)).not.toThrow();
    expect(() => tokens.issue(form)).toThrow(expect.objectContaining({ error: 'invalid_grant' }));
  });

  test('ends after two weeks', () => {
    const { refresh_token } = tokens.issue(signIn);
    nowMs += 14 * 86_400_000;
    expect(() => tokens.issue({ grant_type: 'refresh_token', refresh_token })).toThrow(TokenError);
  });
});

test('the API key never ends', () => {
  nowMs += 400 * 86_400_000;
  expect(() => tokens.check(`Bearer ${credentials.apiKey}`)).not.toThrow();
});

describe('a token for another user', () => {
  const people = [
    { instanceUid: '00000000-0000-4000-8000-000000000001', role: 'CompanyOwner', status: 'Enabled' },
    { instanceUid: '00000000-0000-4000-8000-000000000002', role: 'CompanyOwner', status: 'Disabled' },
    { instanceUid: '00000000-0000-4000-8000-000000000003', role: 'PortalAdministrator', status: 'Enabled' },
  ];
  const asUser = (number: number) => {
    const withPeople = new Tokens(credentials, 3_600_000, () => nowMs, people);
    const { refresh_token } = withPeople.issue(signIn);
    const form = { grant_type: 'as', refresh_token, userUid: `00000000-0000-4000-8000-00000000000${number}` };
    return { issued: () => withPeople.issue(form), checked: (token: string) => withPeople.check(`Bearer ${token}`) };
  };

  test('is that of the user, and cannot be renewed', () => {
    const { issued, checked } = asUser(1);
    const { access_token, refresh_token } = issued();
    expect(checked(access_token)).toBe(people[0]?.instanceUid);
    expect(refresh_token).toBeNull();
    expect(issued).toThrow(expect.objectContaining({ error: 'invalid_grant' }));
  });

  test.each([2, 3, 4])('is not given for user %i: disabled, an administrator, unknown', (number) => {
    expect(asUser(number).issued).toThrow(expect.objectContaining({ error: 'invalid_grant' }));
  });

  test.each([
    { grant_type: 'as', refresh_token: 'made-up', userUid: people[0]?.instanceUid },
    { grant_type: 'as', refresh_token: 'made-up' },
  ])('is not given for %j', (form) => {
    expect(() => new Tokens(credentials, 3_600_000, () => nowMs, people).issue(form)).toThrow(TokenError);
  });
});
