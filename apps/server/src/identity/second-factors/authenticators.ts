import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import { conflict } from '../../foundation/errors.ts';
import { sealedColumn } from '../../foundation/sealed-column.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import { insert, remove, update } from '../../foundation/table-writes.ts';
import { authenticators } from '../tables.ts';
import { base32, newOneTimeKey, stepOfCode } from './one-time-codes.ts';
import type { UserKey } from './user-key.ts';

/** For how long an app that was begun can be confirmed: who once knew the password must not come back to it much later. */
const BEGUN_MS = 10 * 60 * 1_000;

/** The keys of all authenticator apps. */
export const SEALED_AUTHENTICATORS = sealedColumn(
  authenticators,
  'secret',
  ['providerId', 'userId'],
  ({ providerId, userId }) => contextOf({ providerId, id: userId }),
);

/**
 * Makes the key of a user's authenticator app, in letters and digits; an earlier one that was not confirmed is replaced. Throws 409 where the
 * user has an app.
 */
export async function beginAuthenticator(
  connection: Connection,
  secrets: SecretBox,
  user: UserKey,
  now: Date,
): Promise<string> {
  const key = newOneTimeKey();
  const secret = secrets.seal(key.toString('base64'), contextOf(user));
  const begun = await insert(
    connection,
    authenticators,
    { providerId: user.providerId, userId: user.id, secret, createdAt: now },
    sql`on conflict (provider_id, user_id) do update set secret = excluded.secret, created_at = excluded.created_at
        where authenticators.confirmed_at is null`,
  );
  if (begun === 0) throw conflict('You have an authenticator app. Remove it first to add another one.');
  return base32(key);
}

/** Whether the code is one of the app that was begun a while ago, which counts from now on. The code itself does not count a second time. */
export function confirmAuthenticator(
  connection: Connection,
  secrets: SecretBox,
  user: UserKey,
  code: string,
  now: Date,
): Promise<boolean> {
  return spendCode(connection, secrets, user, code, now, { isConfirmed: false });
}

/** Whether the code is one of the user's app, which then does not count a second time, nor do those before it. */
export function useCode(
  connection: Connection,
  secrets: SecretBox,
  user: UserKey,
  code: string,
  now: Date,
): Promise<boolean> {
  return spendCode(connection, secrets, user, code, now, { isConfirmed: true });
}

async function spendCode(
  connection: Connection,
  secrets: SecretBox,
  user: UserKey,
  code: string,
  now: Date,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<boolean> {
  const state = isConfirmed ? sql`confirmed_at is not null` : sql`confirmed_at is null and not ${isOver(now)}`;
  const condition = sql`provider_id = ${user.providerId} and user_id = ${user.id} and ${state}`;
  const stored = await row<{ secret: Buffer }>(connection, sql`select secret from authenticators where ${condition}`);
  if (stored === null) return false;
  const step = stepOfCode(Buffer.from(secrets.open(stored.secret, contextOf(user)), 'base64'), code, now);
  if (step === null) return false;
  const changes = isConfirmed ? { lastUsedAt: now } : { confirmedAt: now };
  // Of two that send one code at once, one is let in.
  const spent = sql`${condition} and secret = ${stored.secret} and last_step < ${step}`;
  return (await update(connection, authenticators, { ...changes, lastStep: step }, spent)) === 1;
}

/** Whether an app that was begun was begun too long ago. */
const isOver = (now: Date) => sql`created_at <= ${new Date(now.getTime() - BEGUN_MS)}`;

/** Deletes apps that were begun and not confirmed. */
export async function removeBegunAuthenticators(connection: Connection, now: Date): Promise<void> {
  await remove(connection, authenticators, sql`confirmed_at is null and ${isOver(now)}`);
}

/** Removes the app of a user, and gives whether there was one. */
export async function removeAuthenticator(
  connection: Connection,
  { providerId, id: userId }: UserKey,
): Promise<boolean> {
  return (await remove(connection, authenticators, { providerId, userId })) === 1;
}

function contextOf({ providerId, id }: UserKey): string {
  return `authenticator ${providerId} ${id}`;
}
