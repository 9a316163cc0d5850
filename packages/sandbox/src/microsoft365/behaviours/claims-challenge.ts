import { OAuthError } from '../identity/oauth-error.ts';
import type { Tenant } from '../tenant.ts';
import type { Caller } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { isObject, valueAt } from '../wire/json.ts';
import { appliesTo } from './behaviours.ts';

/**
 * Refuses a token that was issued before a policy, and says in the header which claims a new one must be asked for with.
 * https://learn.microsoft.com/entra/identity-platform/claims-challenge
 * @throws GraphError 401
 */
export function requireClaims({ behaviours }: Tenant, caller: Caller, nowMs: number): void {
  const { applicationId, hasClaims, userId } = caller;
  if (userId !== null || hasClaims === true || !appliesTo(behaviours.claimsChallenges, applicationId)) return;
  const nbf = { essential: true, value: String(Math.floor(nowMs / 1000)) };
  const claims = Buffer.from(JSON.stringify({ access_token: { nbf } })).toString('base64');
  const header = `Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", client_id="00000003-0000-0000-c000-000000000000", error="insufficient_claims", claims="${claims}"`;
  throw new GraphError(
    401,
    'InvalidAuthenticationToken',
    'Continuous access evaluation resulted in challenge with result: InteractionRequired and code: TokenIssuedBeforeRevocationTimestamp',
    { 'www-authenticate': header },
  );
}

/**
 * Whether the form of a token request contains claims for the access token.
 * @throws OAuthError for claims that are no JSON
 */
export function asksWithClaims(form: URLSearchParams): boolean {
  const text = form.get('claims');
  if (text === null) return false;
  try {
    return isObject(valueAt(JSON.parse(text), 'access_token'));
  } catch {
    throw new OAuthError('invalid_request', 9002313, 'Invalid request. The claims parameter is malformed.');
  }
}

/** @throws OAuthError for an application that a policy gives no token; https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
export function requireAdmission({ behaviours }: Tenant, clientId: string): void {
  if (!appliesTo(behaviours.blockedApplications, clientId)) return;
  throw new OAuthError(
    'invalid_grant',
    53003,
    'Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.',
  );
}
