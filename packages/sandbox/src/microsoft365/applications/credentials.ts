import { createHash, X509Certificate } from 'node:crypto';
import { isSigned, readPart } from '../identity/client-proof.ts';
import type { Tenant } from '../tenant.ts';
import { GraphError } from '../wire/graph-error.ts';
import { isObject, numberOf, objectsOf, textOf } from '../wire/json.ts';
import { badRequest } from '../wire/refusals.ts';
import type { Application, KeyCredential, PasswordCredential } from './application.ts';
import { secretOf } from './register-application.ts';

/**
 * A certificate of a request (`key` in base64 of DER or PEM).
 * @throws GraphError 400 for what is no certificate
 */
export function readKeyCredential(tenant: Tenant, value: unknown): KeyCredential {
  const credential = isObject(value) ? value : {};
  const type = textOf(credential['type']);
  if (type !== 'AsymmetricX509Cert') throw keyInvalid('type must be AsymmetricX509Cert.');
  const bytes = Buffer.from(textOf(credential['key']) ?? '', 'base64');
  const certificate = readCertificate(bytes);
  return {
    keyId: textOf(credential['keyId']) ?? tenant.newId(),
    displayName: textOf(credential['displayName']) ?? certificate.subject,
    customKeyIdentifier: createHash('sha1').update(certificate.raw).digest('hex').toUpperCase(),
    type,
    usage: textOf(credential['usage']) ?? 'Verify',
    startMs: Date.parse(certificate.validFrom),
    endMs: Date.parse(certificate.validTo),
    certificate: certificate.raw,
  };
}

/**
 * The certificates a PATCH leaves an application with: entries without `key` name one it has by `keyId`, the others are new.
 * @throws GraphError 400
 */
export function replaceKeyCredentials(tenant: Tenant, application: Application, value: unknown): KeyCredential[] {
  return objectsOf(value).map((entry) => {
    const known = application.keyCredentials.find(({ keyId }) => keyId === entry['keyId']);
    return known && !entry['key'] ? known : readKeyCredential(tenant, entry);
  });
}

export function newPassword(tenant: Tenant, value: unknown): PasswordCredential {
  const asked = isObject(value) ? value : {};
  const nowMs = tenant.nowMs();
  const startMs = Date.parse(textOf(asked['startDateTime']) ?? '') || nowMs;
  const endMs = Date.parse(textOf(asked['endDateTime']) ?? '') || startMs + 730 * 86_400_000;
  const keyId = tenant.newId();
  return { keyId, displayName: textOf(asked['displayName']) ?? null, secretText: secretOf(keyId), startMs, endMs };
}

/** Whom a proof of possession is made out to: the directory. */
const proofAudience = '00000002-0000-0000-c000-000000000000';

/**
 * Checks that a caller who rolls a key has one of the present ones: a JWT that is signed with it, issued by the
 * application's object id, and valid for at most ten minutes.
 * @throws GraphError 401
 */
export function checkPossession(application: Application, proof: unknown, nowMs: number): void {
  const token = textOf(proof) ?? '';
  const [header, claims] = token.split('.').slice(0, 2).map(readPart);
  const from = numberOf(claims?.['nbf']) ?? 0;
  const until = numberOf(claims?.['exp']) ?? 0;
  const isInTime = from * 1000 <= nowMs + 300_000 && until * 1000 > nowMs && until - from <= 600;
  const isOwn = claims?.['iss'] === application.id && claims?.['aud'] === proofAudience;
  const algorithm = textOf(header?.['alg']);
  const hasSigned = application.keyCredentials.some(
    ({ certificate, endMs }) => endMs > nowMs && isSigned(token, algorithm, certificate),
  );
  if (isInTime && isOwn && hasSigned) return;
  throw new GraphError(401, 'Authentication_MissingOrMalformed', 'Access Token missing or malformed.');
}

function readCertificate(bytes: Buffer): X509Certificate {
  try {
    return new X509Certificate(bytes);
  } catch {
    // Some send the base64 of a PEM file rather than of its content.
    throw keyInvalid('key is no certificate.');
  }
}

const keyInvalid = (message: string) =>
  badRequest(`Key credential is invalid: ${message}`, 'KeyCredentialsInvalidValue');
