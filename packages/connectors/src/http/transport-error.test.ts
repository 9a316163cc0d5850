import { errors } from 'undici';
import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../base/connector-error.ts';
import { TransportError, transportError } from './transport-error.ts';

const WHAT = 'GET vendor.test/jobs';

function coded(code: string, cause?: unknown): Error {
  return Object.assign(new Error(`raw ${code}`, { cause }), { code });
}

describe('a way that failed', () => {
  it.each([
    ['ENOTFOUND', 'the name is not known', false],
    ['EAI_AGAIN', 'could not be looked up just now', true],
    ['ECONNREFUSED', 'nothing listens there', true],
    ['UND_ERR_CONNECT_TIMEOUT', 'no connection within the time limit', true],
    ['EHOSTUNREACH', 'host or network unreachable', true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another name', false],
    ['CERT_HAS_EXPIRED', 'has expired', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'enter its thumbprint', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'enter its thumbprint', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no encrypted connection', false],
    ['ECONNRESET', 'cut before the reply was whole', true],
    ['UND_ERR_SOCKET', 'cut before the reply was whole', true],
  ])('by %s says "%s", and whether it may work a moment later', (code, text, isTransient) => {
    const error = transportError(coded(code), WHAT);
    expect(error).toMatchObject({ kind: 'not-reachable', isTransient, message: expect.stringContaining(text) });
    expect(error.message).toMatch(new RegExp(`^${WHAT}: .*\\(${code}\\)$`));
  });

  it('in an unknown way names the code, keeps the cause, and is not asked again', () => {
    const cause = coded('E_NEW');
    expect(transportError(cause, WHAT)).toMatchObject({
      isTransient: false,
      cause,
      message: `${WHAT}: the request failed (E_NEW)`,
    });
    expect(transportError('no error at all', WHAT).message).toContain('(no code)');
  });

  it('is named after what it was caused by, however deep', () => {
    const error = transportError(
      new TypeError('fetch failed', { cause: new Error('x', { cause: coded('EPIPE') }) }),
      WHAT,
    );
    expect(error.message).toContain('(EPIPE)');
  });

  it('at every address of a name is named after the first', () => {
    const error = transportError(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), WHAT);
    expect(error.message).toContain('(ECONNREFUSED)');
  });

  it('because something else answers is a bad reply', () => {
    const error = transportError(new errors.HTTPParserError('Expected HTTP/'), WHAT);
    expect(error).toMatchObject({ kind: 'bad-reply', isTransient: false });
    expect(error.message).toContain('does not speak HTTP');
  });

  it('and was named before is left as it is', () => {
    const known = new TransportError('not-reachable', 'known', { isTransient: true });
    expect(transportError(known, WHAT)).toBe(known);
    const refused = new ConnectorError('not-allowed', 'refused');
    expect(transportError(refused, WHAT)).toBe(refused);
  });
});
