import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../http/message.ts';
import { isTransientRefusal, refusalOf } from './refusal.ts';

function reply(status: number, ...errors: { message: string; type: string }[]): HttpReply {
  const body = JSON.stringify({ errors: errors.map((error) => ({ ...error, code: 1 })) });
  return { status, headers: {}, body: Buffer.from(body) };
}

describe('what a refusal of the console means', () => {
  it.each([
    [401, 'unspecified', 'wrong-credentials'],
    [403, 'security', 'not-allowed'],
    [400, 'security', 'not-allowed'],
    [404, 'logical', 'wrong-version'],
    [302, 'logical', 'wrong-version'],
    [400, 'logical', 'bad-reply'],
    [500, 'unspecified', 'not-reachable'],
    [520, 'unspecified', 'not-reachable'],
  ])('status %i of type %s is %s', (status, type, kind) => {
    expect(refusalOf(reply(status, { message: 'No.', type }), 'GET x', []).kind).toBe(kind);
  });

  it("quotes the vendor's words, on one line, cut, and without secrets", () => {
    const message = `Key top-secret\r\nis unknown. ${'x'.repeat(1000)}`;
    const error = refusalOf(reply(400, { message, type: 'logical' }), 'GET x', ['top-secret', '']);
    expect(error.message).toContain('Key (secret) is unknown.');
    expect(error.message.length).toBeLessThan(700);
    expect(error.message).not.toContain('top-secret');
  });

  it("goes by the status alone when the body is not the vendor's", () => {
    const page = { status: 502, headers: {}, body: Buffer.from('<html>Bad gateway</html>') };
    expect(refusalOf(page, 'GET x', [])).toMatchObject({ kind: 'not-reachable' });
    expect(refusalOf(page, 'GET x', []).message).not.toContain('html');
  });

  it('is for the moment only when the vendor says so', () => {
    expect(isTransientRefusal(reply(500, { message: '', type: 'retryableLogical' }))).toBe(true);
    expect(isTransientRefusal(reply(500, { message: '', type: 'logical' }))).toBe(false);
    expect(isTransientRefusal(reply(200, { message: '', type: 'retryableLogical' }))).toBe(false);
  });
});
