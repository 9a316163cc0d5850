import type { RestoreOrganization } from '../restore-organization.ts';

/** A sign-in that was begun. */
export interface BegunSignIn {
  userCode: string;
  verificationUrl: string;
  message: string;
  expiresAt: Date;
  intervalMs: number;
  /** With which the platform is asked whether the code was entered. Never shown. */
  secret: string;
}

/** Who signed in, and with what they act until then. */
export interface SignedInPerson {
  accountId: string;
  account: string;
  isAdministrator: boolean;
  token: string;
  expiresAt: Date;
}

/** The sign-in of a person at Microsoft by a code that is entered on another screen. */
export interface SignInPlatform {
  begin(organization: RestoreOrganization, signal: AbortSignal): Promise<BegunSignIn>;
  /** `pending` until the code is entered. Refuses one that was declined, or is too old, with a `Refusal`. */
  redeem(organization: RestoreOrganization, secret: string, signal: AbortSignal): Promise<SignedInPerson | 'pending'>;
}
