import { rulesOf } from '@keepwatch/connectors/ports/identity-provider';
import type { Branding } from '@keepwatch/contract/branding/branding';
import { record } from '../../audit/audit.ts';
import { connectionsOf } from '../../connections/connections.ts';
import { SIGNS_IN_ELSEWHERE, type StoredUser, whoOf } from '../../directory/users.ts';
import type { Connection } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';

/** The port of identity providers, as connections store it. */
export const IDENTITY_PORT = 'identity-provider';

/** How the users of a provider sign in. */
export async function signInWaysOf(
  connection: Connection,
  providerId: number,
): Promise<Pick<Branding, 'identityProviders' | 'hasPasswords'>> {
  const found = await connectionsOf(connection, providerId, IDENTITY_PORT);
  return {
    identityProviders: found.map(({ id, name }) => ({ id, name })),
    hasPasswords: !found.some(({ settings }) => rulesOf(settings).replacesPasswords),
  };
}

/**
 * Refuses a password or a passkey of the portal: where users sign in through an identity provider alone, and always of a user who signs in
 * elsewhere. Only a right one comes here, so that it says nothing to strangers. Super administrators with a password are let in: they are who can
 * set a broken provider right. @throws Refusal 403
 */
export async function requireOwnSignIn(context: PublicContext, user: StoredUser): Promise<void> {
  const { hasPasswords, identityProviders } = await signInWaysOf(context.database, user.providerId);
  const isElsewhere = user.passwordHash === SIGNS_IN_ELSEWHERE;
  if (!isElsewhere && (hasPasswords || user.roles.includes('super-admin'))) return;
  await record(context.database, context, { action: 'session.refused', who: whoOf(user) });
  const names = identityProviders.map(({ name }) => name).join(' or ') || 'your identity provider';
  throw new Refusal(
    403,
    'NOT_ADMITTED',
    `You do not log in with a password or a passkey of this portal. Log in with ${names}.`,
  );
}
