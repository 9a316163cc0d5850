import { buildEndSessionUrl, type Configuration } from 'openid-client';
import type { OpenIdSettings } from './settings.ts';
import { requireSafe } from './sign-in.ts';

/**
 * Where a browser signs out (OpenID Connect RP-Initiated Logout); `null` where the provider does not offer it. The portal stores no token, so that the
 * provider knows the application by its id, and may ask the person.
 */
export function signOutAddressOf(
  provider: Configuration,
  { issuer }: OpenIdSettings,
  returnAddress: string,
): URL | null {
  if (provider.serverMetadata().end_session_endpoint === undefined) return null;
  return requireSafe(buildEndSessionUrl(provider, { post_logout_redirect_uri: returnAddress }), issuer, 'sign-out');
}
