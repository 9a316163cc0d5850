import { constants, createHash, createPublicKey, verify, X509Certificate } from 'node:crypto';
import type { Application } from '../applications/application.ts';
import { isObject, type JsonObject, numberOf, textOf } from '../wire/json.ts';
import { OAuthError } from './oauth-error.ts';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Seconds two clocks may differ. */
const skew = 300;

export interface ProofContext {
  /** The URLs an assertion may be made out to. */
  audiences: readonly string[];
  nowMs: number;
  /** Ids of assertions that were used, with the instant they expire. */
  usedIds: Map<string, number>;
}

/**
 * Checks that a request comes from the application: by a secret, or by an assertion signed with one of its certificates.
 * @throws OAuthError with the code the vendor gives each mistake
 */
export function checkProof(application: Application, form: URLSearchParams, context: ProofContext): void {
  const secret = form.get('client_secret');
  const assertion = form.get('client_assertion');
  if (assertion !== null && form.get('client_assertion_type') === assertionType) {
    checkAssertion(application, assertion, context);
  } else if (secret !== null) {
    checkSecret(application, secret, context.nowMs);
  } else {
    throw wrong(7000218, "The request must contain the parameter 'client_assertion' or 'client_secret'.");
  }
}

function checkSecret({ appId, passwordCredentials }: Application, secret: string, nowMs: number): void {
  const known = passwordCredentials.find(({ secretText }) => secretText === secret);
  if (!known) {
    throw new OAuthError('invalid_client', 7000215, `Invalid client secret provided for app '${appId}'.`, 401);
  }
  if (known.endMs <= nowMs) {
    throw new OAuthError(
      'invalid_client',
      7000222,
      `The provided client secret keys for app '${appId}' are expired.`,
      401,
    );
  }
}

function checkAssertion(application: Application, assertion: string, context: ProofContext): void {
  const [header, claims] = assertion.split('.').slice(0, 2).map(readPart);
  if (!header || !claims) throw wrong(50027, 'The JWT token is invalid or malformed.');
  const { nowMs } = context;
  const credential = application.keyCredentials.find(({ certificate }) => isThumbprintOf(header, certificate));
  if (!credential)
    throw wrong(
      700027,
      'The certificate with identifier used to sign the client assertion is not registered on application.',
    );
  if (credential.endMs <= nowMs || credential.startMs > nowMs) {
    throw wrong(700027, 'The certificate used to sign the client assertion has expired or is not valid yet.');
  }
  if (!isSigned(assertion, textOf(header['alg']), credential.certificate)) {
    throw wrong(700027, 'Client assertion failed signature validation.');
  }
  checkClaims(application, claims, context);
}

function checkClaims({ appId }: Application, claims: JsonObject, { audiences, nowMs, usedIds }: ProofContext): void {
  const seconds = nowMs / 1000;
  if (claims['iss'] !== appId) throw wrong(700023, 'Client assertion issuer does not match the client.');
  if (claims['sub'] !== appId) throw wrong(700021, 'Client assertion subject does not match the client.');
  const audience = [claims['aud']].flat();
  if (!audience.some((name) => typeof name === 'string' && audiences.includes(name))) {
    throw wrong(700023, 'Client assertion audience claim does not match this token endpoint.');
  }
  const expiry = numberOf(claims['exp']) ?? 0;
  const start = numberOf(claims['nbf']) ?? 0;
  if (expiry + skew <= seconds || start - skew > seconds) {
    throw wrong(700024, 'Client assertion is not within its valid time range.');
  }
  const id = textOf(claims['jti']);
  if (id !== undefined && usedIds.has(id)) throw wrong(700030, 'Client assertion was used before (jti).');
  for (const [used, until] of usedIds) if (until < seconds) usedIds.delete(used);
  if (id !== undefined) usedIds.set(id, expiry + skew);
}

const wrong = (code: number, message: string) => new OAuthError('invalid_client', code, message, 401);

export function readPart(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `x5t` is the SHA-1 of the certificate and `x5t#S256` the SHA-256, both in base64url. */
function isThumbprintOf(header: JsonObject, certificate: Buffer): boolean {
  const print = (algorithm: string) => createHash(algorithm).update(certificate).digest('base64url');
  return header['x5t#S256'] === print('sha256') || header['x5t'] === print('sha1');
}

export function isSigned(assertion: string, algorithm: string | undefined, certificate: Buffer): boolean {
  if (algorithm !== 'RS256' && algorithm !== 'PS256') return false;
  const at = assertion.lastIndexOf('.');
  const padding = algorithm === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const pem = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' });
  const key = { key: createPublicKey(pem), padding };
  return verify('sha256', Buffer.from(assertion.slice(0, at)), key, Buffer.from(assertion.slice(at + 1), 'base64url'));
}
