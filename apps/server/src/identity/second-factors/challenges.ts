import { sql } from 'drizzle-orm';
import { IS_LIVING, USERS } from '../../directory/users.ts';
import { type Connection, row } from '../../foundation/database.ts';
import { hashOfToken, newToken } from '../../foundation/secrets.ts';
import { insert, remove } from '../../foundation/table-writes.ts';
import { signInChallenges } from '../tables.ts';

const LIFETIME_MS = 5 * 60 * 1_000;

/** What a challenge is for: it counts for nothing else. */
export type Purpose = 'second-factor' | 'new-passkey' | 'passkey' | 'secret-questions' | 'directory-account';

/**
 * Makes a challenge for a user (`id: null`: no user is known yet), and gives its token, which is stored only as its hash. It ends with the
 * user's password. The token is what a passkey signs, too.
 */
export async function newChallenge(
  connection: Connection,
  { providerId, id: userId }: { providerId: number; id: string | null },
  purpose: Purpose,
  now: Date,
): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await insert(connection, signInChallenges, { providerId, tokenHash: hashOfToken(token), purpose, userId, expiresAt });
  return token;
}

/** The living user of a challenge that still counts. */
export function userOfChallenge(
  connection: Connection,
  providerId: number,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<{ id: string; username: string } | null> {
  return row(
    connection,
    sql`select u.id, u.username from sign_in_challenges c join ${USERS} u on u.provider_id = c.provider_id and u.id = c.user_id
        where c.provider_id = ${providerId} and c.token_hash = ${hashOfToken(token)} and c.purpose = ${purpose}
          and c.expires_at > ${now} and ${IS_LIVING}`,
  );
}

/** Spends a challenge, and gives whether it still counted: of two that come at once, one. */
export async function spendChallenge(
  connection: Connection,
  providerId: number,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<boolean> {
  const which = sql`provider_id = ${providerId} and token_hash = ${hashOfToken(token)} and purpose = ${purpose} and expires_at > ${now}`;
  return (await remove(connection, signInChallenges, which)) === 1;
}

/** What is claimed of an account is of no user: it outlives the user's challenges, which end with the password. */
const claimOf = (id: string) => hashOfToken(`directory-account ${id}`);

/** Claims an account of a directory for one change there, and gives until when; `null` while another change has it. It is free again after a crash, too. */
export async function claimAccount(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
  now: Date,
): Promise<Date | null> {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const claim = { providerId, tokenHash: claimOf(id), purpose: 'directory-account' satisfies Purpose, expiresAt };
  const unlessClaimed = sql`on conflict (provider_id, token_hash) do update set expires_at = excluded.expires_at where sign_in_challenges.expires_at <= ${now}`;
  return (await insert(connection, signInChallenges, claim, unlessClaimed)) === 1 ? expiresAt : null;
}

/** Whether an account is being changed in its directory just now. */
export async function isClaimed(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
  now: Date,
): Promise<boolean> {
  const claim = sql`select from sign_in_challenges c where c.provider_id = ${providerId} and c.token_hash = ${claimOf(id)} and c.expires_at > ${now}`;
  return (await row(connection, claim)) !== null;
}

export async function releaseAccount(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
  expiresAt: Date,
): Promise<void> {
  await remove(connection, signInChallenges, { providerId, tokenHash: claimOf(id), expiresAt });
}

/** Deletes challenges that are too old. */
export async function removeExpiredChallenges(connection: Connection, now: Date): Promise<void> {
  await remove(connection, signInChallenges, sql`${signInChallenges.expiresAt} <= ${now}`);
}
