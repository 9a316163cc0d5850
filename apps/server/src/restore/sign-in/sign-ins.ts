import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import { sealedColumn } from '../../foundation/sealed-column.ts';
import { insert, type NewRow, remove, update } from '../../foundation/table-writes.ts';
import { restoreSignIns } from '../tables.ts';
import type { ProvedRole } from './proved-role.ts';

/** The user of a sign-in, and of which organization it is. */
export interface SignInKey {
  providerId: number;
  userId: string;
  organizationId: string;
}

/** A sign-in that was given out; with an account it is confirmed. */
export interface SignInRow extends SignInKey {
  userCode: string;
  secret: Buffer;
  intervalMs: number;
  nextAskAt: string;
  expiresAt: string;
  account: string | null;
  accountId: string | null;
  role: ProvedRole | null;
}

/** What a confirmed sign-in proved. */
export interface Proof {
  account: string;
  accountId: string;
  role: ProvedRole;
  expiresAt: string;
}

export function findSignIn(connection: Connection, key: SignInKey): Promise<SignInRow | null> {
  return row<SignInRow>(
    connection,
    sql`select provider_id as "providerId", user_id as "userId", organization_id as "organizationId", user_code as "userCode", secret,
          interval_ms as "intervalMs", next_ask_at as "nextAskAt", expires_at as "expiresAt", account, account_id as "accountId", role
        from restore_sign_ins where ${ofKey(key)}`,
  );
}

const ofKey = ({ providerId, userId, organizationId }: SignInKey) =>
  sql`provider_id = ${providerId} and user_id = ${userId} and organization_id = ${organizationId}`;

/** What of it may be shown. */
export function shownProof({ account, role, expiresAt }: Proof) {
  return { account, role, expiresAt };
}

/** @returns `null` where no device code was confirmed, or its token has ended */
export async function findProof(connection: Connection, key: SignInKey, now: Date): Promise<Proof | null> {
  const found = await findSignIn(connection, key);
  if (found === null || Date.parse(found.expiresAt) <= now.getTime()) return null;
  const { account, accountId, role, expiresAt } = found;
  return account === null || accountId === null || role === null ? null : { account, accountId, role, expiresAt };
}

/** @throws 403 that says what to do */
export async function requireProof(connection: Connection, key: SignInKey, now: Date): Promise<Proof> {
  const proof = await findProof(connection, key, now);
  if (proof !== null) return proof;
  const message =
    'Sign in at Microsoft with the device code first: only an administrator of the organization, or the owner, may restore.';
  throw new Refusal(403, 'DEVICE_CODE_REQUIRED', message);
}

/** Binds what is sealed to its row. */
export const secretContext = ({ providerId, userId, organizationId }: SignInKey) =>
  `restore-sign-in/${providerId}/${userId}/${organizationId}`;

export const SEALED_SIGN_INS = sealedColumn(
  restoreSignIns,
  'secret',
  ['providerId', 'userId', 'organizationId'],
  secretContext,
);

/** Stores a code that was given out, in place of an earlier one. */
export async function storeSignIn(connection: Connection, given: NewRow<typeof restoreSignIns>): Promise<void> {
  await insert(
    connection,
    restoreSignIns,
    given,
    sql`on conflict (provider_id, user_id, organization_id) do update set company_id = excluded.company_id, user_code = excluded.user_code,
      secret = excluded.secret, interval_ms = excluded.interval_ms, next_ask_at = excluded.next_ask_at, expires_at = excluded.expires_at,
      account = null, account_id = null, role = null`,
  );
}

const whichOf = ({ providerId, userId, organizationId }: SignInKey) => ({ providerId, userId, organizationId });

/** Lets one request ask the platform at a time. @returns `false` where another one does, or it is too soon */
export async function claimSignIn(
  connection: Connection,
  { providerId, userId, organizationId }: SignInKey,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const which = sql`${ofKey({ providerId, userId, organizationId })} and next_ask_at <= ${now}`;
  return (await update(connection, restoreSignIns, { nextAskAt: until }, which)) > 0;
}

export function delaySignIn(connection: Connection, key: SignInKey, nextAskAt: Date): Promise<number> {
  return update(connection, restoreSignIns, { nextAskAt }, whichOf(key));
}

/** @param proof with the sealed token, which ends when the proof does */
export function confirmSignIn(
  connection: Connection,
  key: SignInKey,
  proof: Proof & { secret: Buffer },
): Promise<number> {
  return update(connection, restoreSignIns, proof, whichOf(key));
}

export function endSignIn(connection: Connection, { providerId, userId, organizationId }: SignInKey): Promise<number> {
  return remove(connection, restoreSignIns, { providerId, userId, organizationId });
}

/** Forgets sign-ins whose token has ended. */
export async function removeEndedSignIns(connection: Connection, now: Date): Promise<void> {
  await execute(connection, sql`delete from restore_sign_ins s where s.expires_at < ${now}`);
}
