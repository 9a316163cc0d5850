import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { ConnectorError } from '../base/connector-error.ts';
import type { Send } from '../http/message.ts';
import { openIdError } from './openid-error.ts';
import { openIdFetch } from './openid-fetch.ts';
import type { OpenIdSettings } from './settings.ts';

/** Its clock and ours may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** Reads the discovery document, each time, so that a new key or address counts at once; then works with the provider. @throws ConnectorError */
export async function discovered<T>(
  { issuer, clientId, clientSecret }: OpenIdSettings,
  send: Send,
  signal: AbortSignal,
  work: (provider: Configuration) => Promise<T>,
): Promise<T> {
  try {
    const isPlain = issuer.protocol === 'http:';
    const provider = await discovery(
      issuer,
      clientId,
      { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      secretSent(clientSecret),
      {
        [customFetch]: openIdFetch(send, signal),
        // The keys of tokens are checked although they came from the provider itself: a proxy in between may be another's.
        execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
      },
    );
    requireSameIssuer(provider, issuer);
    return await work(provider);
  } catch (error) {
    throw openIdError(error, signal);
  }
}

/** Sends the secret in the way that the provider names; in the header where it names none (OpenID Connect Discovery, 3). */
function secretSent(secret: string): ClientAuth {
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...request) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (ways.includes('client_secret_post') ? inBody : inHeader)(server, ...request);
  };
}

/** The library makes exceptions for some providers. Here none is made: who signs in is known by the issuer. */
function requireSameIssuer(provider: Configuration, { href }: URL): void {
  const { issuer } = provider.serverMetadata();
  if (URL.parse(issuer)?.href !== href)
    throw new ConnectorError(
      'not-allowed',
      `Issuer: the discovery document is of the issuer "${issuer.slice(0, 200)}". Enter that address, if it is the one that you mean.`,
    );
}
