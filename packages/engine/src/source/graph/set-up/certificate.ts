import { createHash, X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';
import type { ClientCertificate } from '../sign-in/client-assertion.ts';

/** A certificate with what portals of Microsoft show of it. */
export interface MadeCertificate extends ClientCertificate {
  /** SHA-1 in upper-case hex. */
  thumbprint: string;
  expiresAt: Date;
}

const DAY_MS = 86_400_000;
/** Two years, as long as Microsoft's own portal lets a secret be valid. */
const LIFETIME_MS = 730 * DAY_MS;
/** Clocks differ: it is valid from a little earlier on. */
const EARLIER_MS = 3_600_000;

/** Makes a key and a certificate for it, signed with that very key: Microsoft compares it, and asks no authority about it. */
export async function makeCertificate(name: string, nowMs: number): Promise<MadeCertificate> {
  const made = await generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate: new Date(nowMs - EARLIER_MS),
    notAfterDate: new Date(nowMs + LIFETIME_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
    ],
  });
  return { privateKey: made.private, certificate: made.cert, ...factsOf(made.cert) };
}

/** Reads of a certificate in PEM what people compare it by. @throws Error for what is no certificate */
export function factsOf(pem: string): Pick<MadeCertificate, 'thumbprint' | 'expiresAt'> {
  const certificate = new X509Certificate(pem);
  const thumbprint = createHash('sha1').update(certificate.raw).digest('hex').toUpperCase();
  return { thumbprint, expiresAt: certificate.validToDate };
}

/** The certificate as Graph accepts it: https://learn.microsoft.com/graph/api/resources/keycredential */
export function keyCredentialOf({ certificate }: ClientCertificate, displayName: string) {
  const key = new X509Certificate(certificate).raw.toString('base64');
  return { type: 'AsymmetricX509Cert', usage: 'Verify', displayName, key };
}
