import type { Configuration } from 'openid-client';
import type { Manifest } from '../base/manifest.ts';
import { openHttpClient } from '../http/client.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import { discovered } from './discovered.ts';
import { readSettings, SETTINGS } from './settings.ts';
import { addressOf, redeem } from './sign-in.ts';
import { signOutAddressOf } from './sign-out.ts';
import { requireUsable } from './usable.ts';

/** Documents and tokens are small, and a person waits for them. */
const LIMITS = {
  responseSizeBytesMax: 1024 * 1024,
  requestTimeoutMs: 10_000,
  overallTimeoutMs: 20_000,
  attemptsMax: 2,
};

/** Any provider of OpenID Connect, by the authorization code flow with PKCE. */
export const manifest: Manifest<IdentityProvider> = {
  kind: 'openid-connect',
  label: 'OpenID Connect',
  settings: SETTINGS,
  open(given, context) {
    const settings = readSettings(given);
    const send = openHttpClient({ ...context, limits: { ...LIMITS, ...context.limits } }, { thumbprint: null });
    const work = <T>(signal: AbortSignal, of: (provider: Configuration) => Promise<T>) =>
      discovered(settings, send, signal, of);
    return {
      test: (signal) => work(signal, (provider) => requireUsable(provider, settings)),
      begin: (request, signal) => work(signal, (provider) => addressOf(provider, settings, request)),
      finish: (returned, request, signal) => work(signal, (provider) => redeem(provider, settings, returned, request)),
      signOut: (returnAddress, signal) =>
        work(signal, async (provider) => signOutAddressOf(provider, settings, returnAddress)),
    };
  },
};
