import { connect, type GraphConnection, loadSetUp } from '@keepwatch/engine/engine';
import { Refusal } from '../../foundation/errors.ts';
import { interactivePlace, type MicrosoftAddresses } from '../../microsoft365/organizations/microsoft-place.ts';
import type { RestoreOrganization } from '../restore-organization.ts';
import type { SignedInPerson, SignInPlatform } from './sign-in-platform.ts';

/** Reads who signed in, and their roles in the directory; nothing else. */
const SCOPES = ['User.Read', 'RoleManagement.Read.Directory'];

/** Whose holders may restore everything: https://learn.microsoft.com/entra/identity/role-based-access-control/permissions-reference */
const ADMINISTRATORS: ReadonlySet<unknown> = new Set([
  '62e90394-69f5-4237-9190-012177145e10', // Global Administrator
  '29232cdf-9323-42fd-ade2-1d097af3e4de', // Exchange Administrator
  'f28a1f50-f6e7-4571-818b-6a12f2af6b6c', // SharePoint Administrator
  '69091246-20e8-4a56-aa4d-066075b2a7a8', // Teams Administrator
]);

/** Sign-ins at Microsoft, into the tenant of the organization and no other. */
export function microsoftSignIn(microsoft: MicrosoftAddresses): SignInPlatform {
  const placeOf = async ({ region, tenantId }: RestoreOrganization) => ({
    ...(await interactivePlace(microsoft, region)),
    tenantId,
  });
  return {
    async begin(organization, signal) {
      const { beginSignIn } = await loadSetUp();
      const { deviceCode, ...shown } = await beginSignIn(
        await placeOf(organization),
        microsoft.signInClientId,
        signal,
        SCOPES,
      );
      return { ...shown, secret: deviceCode };
    },
    async redeem(organization, deviceCode, signal) {
      const { lookAtSignIn } = await loadSetUp();
      const place = await placeOf(organization);
      const clientId = microsoft.signInClientId;
      const look = await lookAtSignIn(place, { clientId, deviceCode }, signal);
      if (look.state === 'pending' || look.state === 'too-often') return 'pending';
      if (look.state !== 'signed-in') throw ended(look.state);
      const { token } = look;
      const connection = await connect({ ...place, applications: [{ clientId, token }] }, () => undefined);
      const person = await whoIs(connection, signal);
      return { ...person, token: token.value, expiresAt: new Date(token.expiresMs) };
    },
  };
}

async function whoIs(
  connection: GraphConnection,
  signal: AbortSignal,
): Promise<Omit<SignedInPerson, 'token' | 'expiresAt'>> {
  const me = await connection.ask({ path: '/me?$select=id,userPrincipalName', signal });
  const roles = await connection.page({ path: '/me/transitiveMemberOf/microsoft.graph.directoryRole', signal });
  return {
    accountId: String(me['id'] ?? ''),
    account: String(me['userPrincipalName'] ?? ''),
    isAdministrator: roles.value.some(({ roleTemplateId }) => ADMINISTRATORS.has(roleTemplateId)),
  };
}

function ended(state: 'declined' | 'expired'): Refusal {
  return state === 'declined'
    ? new Refusal(409, 'DEVICE_CODE_DECLINED', 'The sign-in was declined at Microsoft. Get a new code.')
    : new Refusal(409, 'DEVICE_CODE_EXPIRED', 'The code has expired. Get a new one.');
}
