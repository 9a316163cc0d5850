import { constants, createHash, createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto';
import { EngineError } from '../../../model/engine-error.ts';

/** What an application proves itself with instead of a secret; both in PEM. */
export interface ClientCertificate {
  privateKey: string;
  certificate: string;
}

/** Seconds an assertion is good for. */
const LIFETIME = 600;

/**
 * A JWT signed with the certificate (PS256), made out to the token's address.
 * https://learn.microsoft.com/entra/identity-platform/certificate-credentials
 *
 * @throws EngineError `certificate-expired` before anything is sent; `bad-request` for a key or certificate that cannot be read
 */
export function clientAssertion(clientId: string, pem: ClientCertificate, audience: string, nowMs: number): string {
  const { certificate, key } = parse(clientId, pem);
  checkTime(clientId, certificate, nowMs);
  const seconds = Math.floor(nowMs / 1_000);
  const thumbprint = createHash('sha256').update(certificate.raw).digest('base64url');
  const header = { alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprint };
  const claims = {
    aud: audience,
    iss: clientId,
    sub: clientId,
    jti: randomUUID(),
    iat: seconds,
    nbf: seconds,
    exp: seconds + LIFETIME,
  };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(text), {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  });
  return `${text}.${signature.toString('base64url')}`;
}

function parse(clientId: string, pem: ClientCertificate) {
  try {
    const certificate = new X509Certificate(pem.certificate);
    const key = createPrivateKey(pem.privateKey);
    if (certificate.checkPrivateKey(key)) return { certificate, key };
  } catch (cause) {
    throw new EngineError(
      'bad-request',
      `The certificate of the application ${clientId} or its key cannot be read. Give both in PEM.`,
      { cause },
    );
  }
  throw new EngineError(
    'bad-request',
    `The key given for the application ${clientId} is not that of its certificate. Give the key the certificate was made with.`,
  );
}

function checkTime(clientId: string, certificate: X509Certificate, nowMs: number): void {
  const until = certificate.validToDate;
  if (until.getTime() <= nowMs) {
    throw new EngineError(
      'certificate-expired',
      `The certificate of the application ${clientId} expired on ${until.toISOString().slice(0, 10)}. Renew it in the organization’s settings.`,
    );
  }
  const from = certificate.validFromDate;
  if (from.getTime() - LIFETIME * 1_000 <= nowMs) return;
  throw new EngineError(
    'certificate-expired',
    `The certificate of the application ${clientId} is valid from ${from.toISOString()} on. Check the clock of this machine.`,
  );
}
