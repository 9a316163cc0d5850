import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';

/** The second factors that a user has, as people read them. */
export function factorNames({ authenticator, passkeys }: SecondFactors): string[] {
  const app = authenticator === null ? [] : ['Authenticator app'];
  if (passkeys.length === 0) return app;
  return [...app, passkeys.length === 1 ? 'Passkey' : `${passkeys.length} passkeys`];
}
