import { describe, expect, it } from 'vitest';
import { parseJson } from './json.ts';
import type { HttpReply } from './message.ts';

function reply(body: string | Uint8Array, contentType = 'application/json'): HttpReply {
  return { status: 200, headers: { 'content-type': contentType }, body: Buffer.from(body) };
}

describe('reading JSON', () => {
  it('returns what was sent', () => {
    expect(parseJson(reply('{"name":"Müller"}'), 'GET x')).toEqual({ name: 'Müller' });
  });

  it('says what came instead, and does not quote it', () => {
    const page = reply('<html>token=abc</html>', 'text/html');
    expect(() => parseJson(page, 'GET https://vendor/x')).toThrow(/GET https:\/\/vendor\/x: .*22 bytes.*text\/html/);
    expect(() => parseJson(page, 'GET x')).not.toThrow(/abc/);
  });

  it('refuses bytes that are not UTF-8 rather than storing names with holes', () => {
    expect(() => parseJson(reply(Uint8Array.from([0x22, 0xff, 0x22])), 'GET x')).toThrow(/expected JSON/);
  });
});
