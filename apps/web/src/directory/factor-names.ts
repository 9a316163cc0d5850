import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';

/** The second factors that a user has, as people read them. */
export function factorNames({ authenticator }: SecondFactors): string[] {
  return authenticator === null ? [] : ['Authenticator app'];
}
