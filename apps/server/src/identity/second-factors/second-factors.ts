import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';
import type { SecondFactorAsked } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { hasConnection } from '../../connections/connections.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { remove, update } from '../../foundation/table-writes.ts';
import { signInChallenges, signInDevices } from '../tables.ts';
import { removeAuthenticator } from './authenticators.ts';
import { listPasskeys, removePasskeys } from './passkeys.ts';
import { findPhone, removePhoneOf } from './phones.ts';
import { removeRecoveryCodes } from './recovery-codes.ts';
import { endSmsCodes } from './sms-codes.ts';
import { SMS_PORT } from './sms-service.ts';
import type { UserKey } from './user-key.ts';

/** What a user has besides the password. */
export async function findSecondFactors(connection: Connection, { providerId, id }: UserKey): Promise<SecondFactors> {
  const authenticator = await row<{ createdAt: string; lastUsedAt: string | null }>(
    connection,
    sql`select confirmed_at as "createdAt", last_used_at as "lastUsedAt" from authenticators
        where provider_id = ${providerId} and user_id = ${id} and confirmed_at is not null`,
  );
  const codes = await row<{ left: number }>(
    connection,
    sql`select count(*)::int as left from recovery_codes where provider_id = ${providerId} and user_id = ${id} and used_at is null`,
  );
  const passkeys = await listPasskeys(connection, { providerId, id });
  const phone = await findPhone(connection, { providerId, id });
  const canUsePhone = await hasConnection(connection, providerId, SMS_PORT);
  return { authenticator, passkeys, phone, canUsePhone, recoveryCodesLeft: codes?.left ?? 0 };
}

/** Whether there is a second factor. Recovery codes are none: they replace one that was lost. */
export function isProtected({ authenticator, passkeys, phone }: SecondFactors): boolean {
  return authenticator !== null || passkeys.length > 0 || phone !== null;
}

/** With what a sign-in can be ended; nothing for a user without a second factor. */
export function kindsOf(factors: SecondFactors): SecondFactorAsked['kinds'] {
  if (!isProtected(factors)) return [];
  return [
    ...(factors.authenticator === null ? [] : (['authenticator'] as const)),
    ...(factors.passkeys.length === 0 ? [] : (['passkey'] as const)),
    ...(factors.phone === null ? [] : (['sms'] as const)),
    ...(factors.recoveryCodesLeft === 0 ? [] : (['recovery-code'] as const)),
  ];
}

/** Ends what the last second factor leaves behind: recovery codes, and the computers that are remembered. */
export async function forgetUnprotected(connection: Connection, user: UserKey): Promise<void> {
  if (isProtected(await findSecondFactors(connection, user))) return;
  await removeRecoveryCodes(connection, user);
  const { providerId, id: userId } = user;
  await update(connection, signInDevices, { trustedUntil: null }, { providerId, userId });
}

/** Removes the authenticator apps of all users, whose keys are lost: without another second factor the password lets in until one is added again. */
export async function forgetAuthenticators(connection: Connection): Promise<void> {
  const owners = await rows<UserKey>(
    connection,
    sql`select provider_id as "providerId", user_id as id from authenticators`,
  );
  for (const owner of owners) {
    await removeAuthenticator(connection, owner);
    await forgetUnprotected(connection, owner);
  }
}

/** Removes all second factors of a user. */
export async function resetSecondFactors(connection: Connection, user: UserKey): Promise<void> {
  await removeAuthenticator(connection, user);
  await removePasskeys(connection, user);
  await removePhoneOf(connection, user);
  await endSmsCodes(connection, user);
  // What was begun with the lost one ends with it.
  await remove(connection, signInChallenges, { providerId: user.providerId, userId: user.id });
  await forgetUnprotected(connection, user);
}
