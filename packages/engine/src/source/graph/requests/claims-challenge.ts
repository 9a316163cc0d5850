import { GraphError } from '../graph-error.ts';
import { isObject } from '../json.ts';

/** A refusal of a token that a policy made too old: a new one is good if it is asked for with the claims. */
export class ClaimsChallenge extends GraphError {
  /** JSON, for the parameter `claims` of a token request. */
  readonly claims: string;

  constructor(refusal: GraphError, claims: string) {
    const advice =
      'A Conditional Access policy of the tenant does not admit the application. Let an administrator allow it, from the addresses of this machine too.';
    super('credentials-refused', refusal.status, refusal.graphCode, `${refusal.message} ${advice}`, false);
    this.claims = claims;
  }
}

/**
 * Reads the claims that a 401 asks for; a program without a person asks for a new token with them.
 * https://learn.microsoft.com/entra/identity-platform/claims-challenge
 * @param header `WWW-Authenticate`
 */
export function withClaims(refusal: GraphError, header: string | null): GraphError {
  if (header === null || !/error="?insufficient_claims/i.test(header)) return refusal;
  const claims = Buffer.from(/claims="([^"]*)"/i.exec(header)?.[1] ?? '', 'base64').toString();
  return isJsonObject(claims) ? new ClaimsChallenge(refusal, claims) : refusal;
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
