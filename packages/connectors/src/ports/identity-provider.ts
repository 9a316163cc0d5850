import type { Testable } from '../base/manifest.ts';
import type { SettingField, Settings } from '../base/setting-field.ts';

/** `IdentityProvider`: another system that says who signs in. */
export interface IdentityProvider extends Testable {
  /** Gives the address at which the person signs in there. */
  begin(request: SignInRequest, signal: AbortSignal): Promise<URL>;
  /** Redeems the address with which it sent the browser back. Throws a `ConnectorError` for what does not belong to the request. */
  finish(returned: URL, request: SignInRequest, signal: AbortSignal): Promise<ProvedPerson>;
  /** Gives the address at which a browser signs out there and comes back from; `null` where it has none. */
  signOut(returnAddress: string, signal: AbortSignal): Promise<URL | null>;
}

/** What belongs to one sign-in, and is known to the browser that began it alone. */
export interface SignInRequest {
  /** Where the browser comes back. */
  redirectAddress: string;
  state: string;
  nonce: string;
  /** Proves that who redeems the code has asked for it (PKCE, RFC 7636). */
  codeVerifier: string;
}

/** Who has signed in there. Known by issuer and subject: every other text may be chosen by the person. */
export interface ProvedPerson {
  issuer: string;
  subject: string;
  name: string | null;
  userName: string | null;
  /** Only an address that the provider has verified. */
  email: string | null;
  /** `null`: left out, because there are too many of them. */
  groups: readonly string[] | null;
  usedSecondFactor: boolean;
}

/** What an identity provider of any kind may do here. */
export interface IdentityRules {
  /** Who is not known yet gets an account. */
  createsUsers: boolean;
  /** Passwords of this portal no longer sign in. */
  replacesPasswords: boolean;
  /** A second factor that it has asked for counts here. */
  trustsSecondFactor: boolean;
}

/** The fields of these rules, in the form of each kind. */
export const RULE_FIELDS: readonly SettingField[] = [
  {
    name: 'createsUsers',
    label: 'Add users at their first sign-in',
    hint: 'Otherwise only users who have signed in through it before get in.',
    kind: 'flag',
    isRequired: false,
  },
  {
    name: 'replacesPasswords',
    label: 'No passwords',
    hint: 'Users log in through it alone. Super administrators can still use their passwords.',
    kind: 'flag',
    isRequired: false,
  },
  {
    name: 'trustsSecondFactor',
    label: 'Trust its second factor',
    hint: 'Otherwise the portal asks for one of its own where that is required.',
    kind: 'flag',
    isRequired: false,
  },
];

export function rulesOf(settings: Settings): IdentityRules {
  const isOn = (name: keyof IdentityRules) => settings[name] === 'true';
  return {
    createsUsers: isOn('createsUsers'),
    replacesPasswords: isOn('replacesPasswords'),
    trustsSecondFactor: isOn('trustsSecondFactor'),
  };
}

/** Whether the settings are of the provider that has issued the identity of a person. */
export function isOfIssuer({ issuer = '' }: Settings, issued: string): boolean {
  const own = URL.parse(issuer.trim())?.href;
  return own !== undefined && own === URL.parse(issued)?.href;
}
