import { beginPasskeySignIn, signInWithPasskey } from '@keepwatch/contract/identity/passkeys';
import type { Api } from '../../kit/api.ts';
import { provePasskey } from './browser-passkeys.ts';

/** Signs in with a passkey alone. */
export async function signInByPasskey(api: Api) {
  const { data: request } = await api.request(beginPasskeySignIn, {});
  const proof = await provePasskey(request);
  return api.request(signInWithPasskey, { body: { challenge: request.challenge, proof } });
}
