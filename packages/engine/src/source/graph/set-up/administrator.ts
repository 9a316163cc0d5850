import { EngineError } from '../../../model/engine-error.ts';
import { CLOUDS } from '../cloud.ts';
import { type GraphConnection, type GraphOptions, identityAddressOf, openGraphConnection } from '../connection.ts';
import { SignInError } from '../identity.ts';
import { objectsOf, textOf } from '../json.ts';
import { type GivenDeviceCode, redeemDeviceCode, requestDeviceCode } from '../sign-in/device-code.ts';
import type { AccessToken } from '../sign-in/token.ts';

/** Where an administrator signs in: the cloud, and for tests its addresses. */
export type SignInPlace = Omit<GraphOptions, 'tenantId' | 'applications'> & {
  /** Default: the tenant of who signs in. */
  tenantId?: string | undefined;
};

/** The authority for people of any tenant, but for no personal accounts. */
const ANY_TENANT = 'organizations';
/** Makes applications, consents to their permissions, and reads which tenant it is. */
const SCOPES = ['Application.ReadWrite.All', 'AppRoleAssignment.ReadWrite.All', 'Organization.Read.All'];

/** Begins the sign-in of an administrator who is to make or change applications. @param scopes permissions of Graph for another purpose */
export function beginSignIn(
  place: SignInPlace,
  clientId: string,
  signal: AbortSignal,
  scopes: readonly string[] = SCOPES,
): Promise<GivenDeviceCode> {
  const scope = scopes.map((name) => `${CLOUDS[place.cloud].graphUrl}/${name}`).join(' ');
  return requestDeviceCode(identityAddressOf(optionsOf(place)), clientId, scope, signal);
}

export type SignInLook =
  | { state: 'pending' | 'too-often' | 'declined' | 'expired' }
  | { state: 'signed-in'; token: AccessToken };

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code#expected-errors */
const STATES: Readonly<Record<string, Exclude<SignInLook['state'], 'signed-in'>>> = {
  authorization_pending: 'pending',
  slow_down: 'too-often',
  authorization_declined: 'declined',
  access_denied: 'declined',
  expired_token: 'expired',
  bad_verification_code: 'expired',
};

/** Looks once whether the administrator has signed in. @throws EngineError where it cannot be found out */
export async function lookAtSignIn(
  place: SignInPlace,
  code: { clientId: string; deviceCode: string },
  signal: AbortSignal,
): Promise<SignInLook> {
  try {
    const { value, expiresMs } = await redeemDeviceCode(identityAddressOf(optionsOf(place)), code, signal);
    return { state: 'signed-in', token: { value, expiresMs } };
  } catch (error) {
    const state = error instanceof SignInError ? STATES[error.oauthError] : undefined;
    if (state === undefined) throw error;
    return { state };
  }
}

/** A tenant as the administrator reaches it who signed in. */
export interface Administrator {
  connection: GraphConnection;
  tenantId: string;
  displayName: string;
  /** `contoso.onmicrosoft.com` */
  officeName: string;
}

/** Opens the tenant of a sign-in. @throws EngineError */
export async function openAsAdministrator(
  place: SignInPlace,
  signIn: { clientId: string; token: AccessToken },
  signal: AbortSignal,
): Promise<Administrator> {
  const connection = openGraphConnection({ ...optionsOf(place), applications: [signIn] });
  const { value } = await connection.page({ path: '/organization?$select=id,displayName,verifiedDomains', signal });
  const [organization = {}] = value;
  const tenantId = textOf(organization['id']);
  if (tenantId === undefined)
    throw new EngineError('source-refused', 'Microsoft Graph did not say which tenant it is.');
  const domains = objectsOf(organization['verifiedDomains']);
  const initial = domains.find(({ isInitial }) => isInitial === true) ?? domains[0];
  const officeName = textOf(initial?.['name']) ?? tenantId;
  return { connection, tenantId, displayName: textOf(organization['displayName']) ?? officeName, officeName };
}

function optionsOf({ tenantId = ANY_TENANT, ...place }: SignInPlace): GraphOptions {
  return { ...place, tenantId, applications: [] };
}
