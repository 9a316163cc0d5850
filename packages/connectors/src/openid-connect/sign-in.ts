import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client';
import { ConnectorError } from '../base/connector-error.ts';
import type { ProvedPerson, SignInRequest } from '../ports/identity-provider.ts';
import { type Claims, lacksGroups, personOf } from './claims.ts';
import type { OpenIdSettings } from './settings.ts';

/** Where the person signs in. */
export async function addressOf(
  provider: Configuration,
  { scope, issuer }: OpenIdSettings,
  { redirectAddress, state, nonce, codeVerifier }: SignInRequest,
): Promise<URL> {
  const address = buildAuthorizationUrl(provider, {
    redirect_uri: redirectAddress,
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return requireSafe(address, issuer, 'sign-in');
}

/** A browser follows it: it must not be a program, nor lead on without encryption. */
export function requireSafe(address: URL, issuer: URL, what: string): URL {
  if (address.protocol === 'https:' || address.protocol === issuer.protocol) return address;
  throw new ConnectorError('bad-reply', `The address of its ${what} does not begin with https://.`);
}

/** Redeems the code and reads who signed in. The library compares state, issuer, nonce, audience, times and signature. */
export async function redeem(
  provider: Configuration,
  { groupsClaim }: OpenIdSettings,
  returned: URL,
  { state, nonce, codeVerifier }: SignInRequest,
): Promise<ProvedPerson> {
  const tokens = await authorizationCodeGrant(provider, returned, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new ConnectorError('bad-reply', 'Its answer does not say who signed in.');
  const inToken: Claims = claims;
  const isComplete = provider.serverMetadata().userinfo_endpoint === undefined || !lacksGroups(inToken, groupsClaim);
  const further: Claims = isComplete ? {} : await fetchUserInfo(provider, tokens.access_token, claims.sub);
  // What the signed token says counts before what is read beside it.
  return personOf({ ...further, ...inToken }, groupsClaim);
}
