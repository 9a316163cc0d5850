import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../testing/vendor.ts';
import { parseThumbprint, thumbprintRefusal } from './thumbprint.ts';

const SHA1 = 'A94A8FE5CCB19BA61C4C0873D391E987982FBBD3';

describe('reading a thumbprint', () => {
  it('accepts SHA-1 and SHA-256 in any case, with colons, blanks or the mark Windows copies along', () => {
    expect(parseThumbprint(SHA1.toLowerCase())).toBe(SHA1);
    expect(parseThumbprint(SHA1.replace(/(..)(?!$)/g, '$1:'))).toBe(SHA1);
    expect(parseThumbprint(`\u200e${SHA1.replace(/(..)(?!$)/g, '$1 ')}`)).toBe(SHA1);
    expect(parseThumbprint('ab'.repeat(32))).toBe('AB'.repeat(32));
  });

  it.each(['', 'xyz', SHA1.slice(1), `${SHA1}00`, 'zz'.repeat(20)])('refuses %j', (text) => {
    expect(parseThumbprint(text)).toBeNull();
  });
});

describe('comparing a thumbprint', () => {
  it('accepts the very certificate by either hash and refuses every other, naming both', async () => {
    const certificate = new X509Certificate((await makeCertificate()).cert);
    const sha1 = parseThumbprint(certificate.fingerprint) ?? '';
    expect(thumbprintRefusal(certificate, sha1, 'vendor')).toBeNull();
    expect(thumbprintRefusal(certificate, parseThumbprint(certificate.fingerprint256) ?? '', 'vendor')).toBeNull();

    const refusal = thumbprintRefusal(certificate, SHA1, 'vendor');
    expect(refusal?.kind).toBe('not-reachable');
    expect(refusal?.message).toContain(sha1);
    expect(refusal?.message).toContain(SHA1);
  });

  it('refuses a connection that shows no certificate', () => {
    expect(thumbprintRefusal(undefined, SHA1, 'vendor')?.message).toContain('(none)');
  });
});
