import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';

/** The second factors that a user has, as people read them. */
export function factorNames({ authenticator, passkeys, phone }: SecondFactors): string[] {
  return [
    ...(authenticator === null ? [] : ['Authenticator app']),
    ...(passkeys.length === 0 ? [] : [passkeys.length === 1 ? 'Passkey' : `${passkeys.length} passkeys`]),
    ...(phone === null ? [] : ['Phone']),
  ];
}
