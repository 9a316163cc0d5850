import { signIn } from '@keepwatch/contract/identity/sessions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

describe('what the server says to bad input', () => {
  it('400: malformed JSON', async () => {
    const response = await portal.anonymous.raw('POST', '/api/auth/login/db', { body: '{"username": "a", ' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ success: false, code: 'MALFORMED_JSON' });
  });

  it('415: a compressed body, which would make no sense as text', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const response = await portal.anonymous.raw('POST', '/api/auth/login/db', { body: '{}', headers });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ success: false, code: 'ENCODED_BODY' });
  });

  it('413: a body of 50 MB, without reading it to the end', async () => {
    const response = await portal.anonymous
      .raw('POST', '/api/auth/login/db', { body: 'x'.repeat(50 * 1024 * 1024) })
      .catch(() => null);
    expect(response === null || response.status === 413).toBe(true);
  });

  it('404: an address that is no call', async () => {
    const response = await portal.anonymous.raw('GET', '/api/nothing?x=<script>');
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      success: false,
      code: 'ROUTE_NOT_FOUND',
      message: 'There is no such call.',
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('422: a body that is no object, a list where a text is required, a prototype', async () => {
    for (const body of [
      '[]',
      '"text"',
      'null',
      '7',
      '{"username":["a"],"password":"b"}',
      '{"__proto__":{"a":1},"username":"a","password":"b"}',
    ]) {
      const response = await portal.anonymous.raw('POST', '/api/auth/login/db', { body });
      expect([body, response.status]).toEqual([body, 422]);
    }
  });

  it('401: a token that is none, a hundred thousand letters long, or of another scheme', async () => {
    for (const authorization of [
      'Bearer',
      'Bearer x',
      `Bearer ${'x'.repeat(10_000)}`,
      'Basic YTpi',
      "Bearer ' or 1=1 --aaaaaaaaaaaaaaaa",
    ]) {
      const response = await portal.anonymous.raw('GET', '/api/monitoring/reporting/jobs', {
        headers: { authorization },
      });
      expect([authorization.slice(0, 20), response.status]).toEqual([authorization.slice(0, 20), 401]);
    }
  });

  it('429: an address that guesses tokens, before they are looked up', async () => {
    const guess = (n: number) =>
      portal.anonymous.raw('POST', `/api/monitoring/intake/${String(n).padStart(43, 'x')}`, { body: '{}' });
    const statuses = (await Promise.all(Array.from({ length: 130 }, (_, n) => guess(n)))).map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 404).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([120, 10]);
  });

  it('answers a stranger before it reads a body', async () => {
    const response = await portal.anonymous.raw('POST', '/api/monitoring/backoffice/jobExecutions/bulk', { body: '{' });
    expect(response.status).toBe(401);
  });
});

describe('every reply', () => {
  it('carries a request id and the headers that keep a page safe', async () => {
    const response = await portal.anonymous.send(signIn, { body: { username: 'a', password: 'b' } });
    const reply = await response.json();
    expect(response.headers.get('x-request-id')).toBe(reply.requestId);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-powered-by')).toBeNull();
  });
});

describe('the header that binds browsers to https', () => {
  it('is sent where people open the portal by https', async () => {
    const response = await portal.anonymous.raw('GET', '/api/nothing');
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('is not sent where they open it by http, nor is their cookie bound to https', async () => {
    const plain = await startTestPortal(undefined, { publicUrl: 'http://localhost:8080' });
    const { username } = await plain.as('operator');
    const response = await plain.anonymous.send(signIn, { body: { username, password: PASSWORD } });
    await plain.stop();
    expect(response.headers.get('strict-transport-security')).toBeNull();
    expect(response.headers.get('set-cookie')).toMatch(/; SameSite=Strict$/);
  });
});
