import { createHmac } from 'node:crypto';
import { CHAT_TOKEN_SECONDS } from '@keepwatch/contract/support/support';

/** Who the token is about, who made it, and which chat it is for. */
export interface ChatIdentity {
  issuer: string;
  audience: string;
  userId: string;
  name: string;
  email: string;
  serviceProviderId: number;
}

/** Signs a token (JSON Web Token, RFC 7519) with HMAC and SHA-256. */
export function chatTokenOf(identity: ChatIdentity, secret: string, now: Date): { token: string; expiresAt: string } {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const expires = issuedAt + CHAT_TOKEN_SECONDS;
  const { issuer: iss, audience: aud, userId: sub, name, email, serviceProviderId } = identity;
  const claims = { iss, aud, sub, name, email, serviceProviderId, iat: issuedAt, exp: expires };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  const signature = createHmac('sha256', secret).update(signed).digest('base64url');
  return { token: `${signed}.${signature}`, expiresAt: new Date(expires * 1_000).toISOString() };
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
