import { type Configuration, genericGrantRequest, ResponseBodyError } from 'openid-client';
import { ConnectorError } from '../base/connector-error.ts';
import type { OpenIdSettings } from './settings.ts';

/** A code that no provider has given out. */
const NO_CODE = 'a-test-of-the-client-secret';

/** Says what is wrong with a provider or with the settings. No person has to sign in for it. @throws ConnectorError */
export async function requireUsable(
  provider: Configuration,
  { issuer, scope }: OpenIdSettings,
): Promise<{ version: string }> {
  const metadata = provider.serverMetadata();
  const missing = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter(
    (name) => metadata[name] === undefined,
  );
  if (missing.length > 0) throw wrong(`its discovery document lacks ${missing.join(', ')}`);
  if (lacks(metadata.response_types_supported, 'code')) throw wrong('it does not offer the authorization code flow');
  if (lacks(metadata.code_challenge_methods_supported, 'S256')) throw wrong('it does not offer PKCE with S256');
  const unknown = scope.split(' ').filter((one) => lacks(metadata.scopes_supported, one));
  if (unknown.length > 0) throw new ConnectorError('not-allowed', `Scopes: it does not offer ${unknown.join(', ')}.`);
  await requireKnownClient(provider);
  return { version: issuer.host };
}

/** Of what a provider lists; what it does not list says nothing. */
function lacks(listed: readonly string[] | undefined, value: string): boolean {
  return listed !== undefined && !listed.includes(value);
}

/** Asks for a token with a code that cannot be: most providers check the client before the code. @throws ConnectorError for a client that is refused */
async function requireKnownClient(provider: Configuration): Promise<void> {
  try {
    await genericGrantRequest(provider, 'authorization_code', { code: NO_CODE });
  } catch (error) {
    const isAboutCode =
      error instanceof ResponseBodyError && !['invalid_client', 'unauthorized_client'].includes(error.error);
    if (!isAboutCode) throw error;
  }
}

function wrong(what: string): ConnectorError {
  return new ConnectorError('wrong-version', `The provider cannot be used: ${what}.`);
}
