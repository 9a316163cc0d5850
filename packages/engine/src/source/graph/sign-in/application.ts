import { EngineError } from '../../../model/engine-error.ts';
import { accessTokenOf, type IdentityAddress, postForm, tokenUrl } from '../identity.ts';
import { textOf } from '../json.ts';
import type { Limits } from '../requests/limits.ts';
import { type ClientCertificate, clientAssertion } from './client-assertion.ts';
import { type AccessToken, type AskToken, Token } from './token.ts';

/** An application of the tenant, and what it proves itself with; with a token or a refresh token it acts for who signed in. */
export type ApplicationCredentials = { clientId: string } & (
  | { secret: string }
  | { certificate: ClientCertificate }
  | { token: AccessToken }
  | { refreshToken: string; onRefreshToken?: (refreshToken: string) => void }
);

/** One application at work: its token and its budgets. */
export interface Application {
  clientId: string;
  token: Token;
  limits: Limits;
}

/** @param scope of the token: the host of Graph and `/.default` */
export function applicationOf(
  credentials: ApplicationCredentials,
  address: IdentityAddress,
  scope: string,
  limits: Limits,
): Application {
  const { clientId } = credentials;
  let refreshToken = 'refreshToken' in credentials ? credentials.refreshToken : '';
  const ask: AskToken = async (claims, clock) => {
    if ('token' in credentials) return stillGood(credentials.token, address.clock.now());
    const body = await postForm({ ...address, clock }, 'token', {
      client_id: clientId,
      scope: 'refreshToken' in credentials ? `${scope} offline_access` : scope,
      ...proofOf(credentials, address, refreshToken),
      ...(claims !== null && { claims }),
    });
    const renewed = textOf(body['refresh_token']);
    if ('refreshToken' in credentials && renewed !== undefined && renewed !== refreshToken) {
      refreshToken = renewed;
      credentials.onRefreshToken?.(renewed);
    }
    return accessTokenOf(body, address.clock.now());
  };
  return { clientId, token: new Token(ask, address.clock), limits };
}

/** A sign-in that cannot be renewed. @throws EngineError when it is over */
function stillGood(token: AccessToken, nowMs: number): AccessToken {
  if (token.expiresMs > nowMs) return token;
  throw new EngineError('credentials-refused', 'The sign-in is over. Sign in again.');
}

function proofOf(
  credentials: Exclude<ApplicationCredentials, { token: AccessToken }>,
  address: IdentityAddress,
  refreshToken: string,
): Record<string, string> {
  if ('refreshToken' in credentials) return { grant_type: 'refresh_token', refresh_token: refreshToken };
  if ('secret' in credentials) return { grant_type: 'client_credentials', client_secret: credentials.secret };
  const { clientId, certificate } = credentials;
  return {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: clientAssertion(clientId, certificate, tokenUrl(address), address.clock.now()),
  };
}
