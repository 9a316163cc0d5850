import { afterEach, describe, expect, it } from 'vitest';
import type { Console } from '../testing/console.ts';
import { startConsole } from '../testing/console.ts';
import { quiet } from '../testing/context.ts';
import type { ReceivedRequest } from '../testing/vendor.ts';
import { answerJson } from '../testing/vendor.ts';

const PASSWORD = 'pass&word=1';
let running: Console;
afterEach(() => running.stop());

interface Issued {
  grants: URLSearchParams[];
}

/** A console that knows the tokens it has given, `access-1` and so on, and no others. */
async function start(
  issue: (grant: URLSearchParams, count: number) => [number, unknown],
  isKnown = (_: string) => true,
) {
  const issued: Issued = { grants: [] };
  running = await startConsole(
    {
      token: (request, reply) => {
        const grant = new URLSearchParams(request.body);
        const [status, body] = issue(grant, issued.grants.push(grant));
        answerJson(reply, body, status);
      },
      about: (request, reply) => {
        if (isKnown(tokenOf(request))) answerJson(reply, { data: { sentWith: tokenOf(request) } });
        else answerJson(reply, { errors: [{ message: 'Token is unknown', type: 'security', code: 1 }] }, 401);
      },
    },
    {},
    { username: 'portal', password: PASSWORD },
  );
  return issued;
}

function tokenOf(request: ReceivedRequest): string {
  return String(request.headers.authorization).replace('Bearer ', '');
}

function tokens(count: number, expiresInS = 3600): [number, unknown] {
  return [200, { access_token: `access-${count}`, refresh_token: `refresh-${count}`, expires_in: expiresInS }];
}

function read() {
  return running.client.read('about', {}, quiet());
}

describe('signing in with user name and password', () => {
  it('asks for one token, however many requests begin together, and keeps it while it is good', async () => {
    const issued = await start((_, count) => tokens(count));
    const all = await Promise.all([read(), read(), read()]);
    expect(all).toEqual(Array(3).fill({ data: { sentWith: 'access-1' } }));
    await read();
    expect(issued.grants.map((grant) => Object.fromEntries(grant))).toEqual([
      { grant_type: 'password', username: 'portal', password: PASSWORD },
    ]);
  });

  it('renews a token in its last minute, with the refresh token', async () => {
    const issued = await start((_, count) => tokens(count, 100));
    await read();
    await running.context.wait?.(41_000, quiet());
    expect(await read()).toEqual({ data: { sentWith: 'access-2' } });
    expect(Object.fromEntries(issued.grants[1] ?? [])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
    });
  });

  it('renews a token that is refused before its time, once', async () => {
    await start(
      (_, count) => tokens(count),
      (token) => token !== 'access-1',
    );
    expect(await read()).toEqual({ data: { sentWith: 'access-2' } });
  });

  it('signs in again when the refresh token is refused too', async () => {
    const issued = await start(
      (grant, count) =>
        grant.get('grant_type') === 'refresh_token' ? [400, { error: 'invalid_grant' }] : tokens(count),
      (token) => token !== 'access-1',
    );
    expect(await read()).toEqual({ data: { sentWith: 'access-3' } });
    expect(issued.grants.map((grant) => grant.get('grant_type'))).toEqual(['password', 'refresh_token', 'password']);
  });
});

describe('when signing in fails', () => {
  it('ends as wrong credentials when every token is refused', async () => {
    await start(
      (_, count) => tokens(count),
      () => false,
    );
    await expect(read()).rejects.toMatchObject({ kind: 'wrong-credentials' });
  });

  it("says the vendor's reason for a refusal, without the password", async () => {
    await start(() => [400, { error: 'invalid_request', error_description: `Wrong password ${PASSWORD}` }]);
    const error = await read().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      kind: 'wrong-credentials',
      message: expect.stringContaining('Wrong password (secret)'),
    });
    expect(running.context.logged()).not.toContain(PASSWORD);
  });

  it('says what to do when the user has a second factor', async () => {
    await start(() => [200, { mfa_token: 'more-is-needed', access_token: null }]);
    await expect(read()).rejects.toMatchObject({
      kind: 'wrong-credentials',
      message: expect.stringContaining('second factor'),
    });
  });

  it('lets one that waits for a token leave, while the others get it', async () => {
    await start((_, count) => tokens(count));
    const leaving = new AbortController();
    const left = running.client.read('about', {}, leaving.signal);
    const stays = read();
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    expect(await stays).toEqual({ data: { sentWith: 'access-1' } });
  });
});
