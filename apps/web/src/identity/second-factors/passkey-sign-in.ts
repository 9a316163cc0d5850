import type { beginPasskeySignIn, signInWithPasskey } from '@keepwatch/contract/identity/passkeys';
import type { Endpoint } from '@keepwatch/contract/wire/client';
import type { Api } from '../../kit/api.ts';
import { provePasskey } from './browser-passkeys.ts';

const failure = 'Signing in failed, try again later.';
const BEGIN: Endpoint<typeof beginPasskeySignIn> = { method: 'POST', path: '/auth/login/passkey/options', failure };
const SIGN_IN: Endpoint<typeof signInWithPasskey> = { method: 'POST', path: '/auth/login/passkey', failure };

/** Signs in with a passkey alone. */
export async function signInByPasskey(api: Api) {
  const { data: request } = await api.request<typeof beginPasskeySignIn>(BEGIN, {});
  const proof = await provePasskey(request);
  return api.request<typeof signInWithPasskey>(SIGN_IN, { body: { challenge: request.challenge, proof } });
}
