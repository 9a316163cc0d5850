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
