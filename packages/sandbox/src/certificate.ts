import { X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';

export interface Certificate {
  key: string;
  cert: string;
  /** Lower case hex without colons. */
  sha256: string;
  sha1: string;
}

/** Makes a self-signed certificate for this machine, like that of a console without a certificate of its own. */
export async function makeCertificate(now: Date): Promise<Certificate> {
  const yearMs = 365 * 86_400_000;
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now.getTime() - 86_400_000),
    notAfterDate: new Date(now.getTime() + 10 * yearMs),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  const certificate = new X509Certificate(pems.cert);
  const plain = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase();
  return {
    key: pems.private,
    cert: pems.cert,
    sha256: plain(certificate.fingerprint256),
    sha1: plain(certificate.fingerprint),
  };
}
