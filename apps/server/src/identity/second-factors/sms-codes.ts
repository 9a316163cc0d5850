import type { SmsCodes } from '@keepwatch/connectors/ports/sms-codes';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row, transaction } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert, remove, update } from '../../foundation/table-writes.ts';
import { smsCodes } from '../tables.ts';
import { numberOf } from './phones.ts';
import { type SmsServices, withSmsCodes } from './sms-service.ts';
import type { UserKey } from './user-key.ts';

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
const LIFETIME_MS = 10 * MINUTE_MS;
const TRIES_MAX = 5;
const SENT_MAX = {
  /** To one account. */
  tenMinutes: 3,
  day: 10,
  /** To one number, of whatever account. */
  number: 10,
  /** Numbers that one account may try: one, and one more that was mistyped. */
  newNumbers: 2,
} as const;

/** The purpose of what is counted when a number is looked up: no message. */
export const LOOK_UP = 'look-up';

/** What a code is for: it counts for nothing else. */
export type CodePurpose = 'sign-in' | 'new-phone' | 'remove-phone';

export interface Receiver {
  purpose: CodePurpose;
  /** As the service writes it. */
  number: string;
}

/**
 * Sends a code to a phone of a user; earlier ones for the same purpose no longer count. Who may have it sent has been asked before.
 * Throws 429 when there were too many, and 409 where no service is connected or it does not send there.
 */
export async function sendSmsCode(
  context: PublicContext,
  services: SmsServices,
  user: UserKey,
  receiver: Receiver,
): Promise<void> {
  await withSmsCodes(context, services, user.providerId, async (codes) => {
    const id = await reserve(context, user, receiver, codes);
    const verification = await context.outside((gone) => codes.send(receiver.number, gone));
    await update(context.database, smsCodes, { verification }, { providerId: user.providerId, id });
    return { id };
  });
}

/** Counts a message before it is sent, one after the other of a provider: of two at once the last one of a budget is one. */
function reserve(
  { database, now }: PublicContext,
  user: UserKey,
  { purpose, number }: Receiver,
  { messagesADayMax }: SmsCodes,
): Promise<string> {
  const { providerId, id: userId } = user;
  return transaction(database, async (connection) => {
    await lockSmsCodes(connection, providerId);
    await requireLeft(connection, user, { purpose, number }, messagesADayMax, now());
    const id = newId();
    await insert(connection, smsCodes, { providerId, id, userId, purpose, number, sentAt: now() });
    return id;
  });
}

/** What a provider pays for is counted one after the other. */
export async function lockSmsCodes(connection: Connection, providerId: number): Promise<void> {
  await execute(connection, sql`select pg_advisory_xact_lock(hashtextextended(${`sms-codes ${providerId}`}, 0))`);
}

interface Counted {
  tenMinutes: number;
  day: number;
  number: number;
  otherNumbers: number;
  provider: number;
}

async function requireLeft(
  connection: Connection,
  { providerId, id }: UserKey,
  { purpose, number }: Receiver,
  messagesADayMax: number,
  now: Date,
): Promise<void> {
  const own = sql`user_id = ${id}`;
  const counted = await row<Counted>(
    connection,
    sql`select count(*) filter (where ${own} and sent_at > ${new Date(now.getTime() - LIFETIME_MS)})::int as "tenMinutes",
          count(*) filter (where ${own})::int as day, count(*) filter (where number = ${number})::int as number,
          count(distinct number) filter (where ${own} and purpose = 'new-phone' and number <> ${number})::int as "otherNumbers",
          count(*)::int as provider
        from sms_codes where provider_id = ${providerId} and sent_at > ${new Date(now.getTime() - DAY_MS)} and purpose <> ${LOOK_UP}`,
  );
  if (counted === null) throw new Error('The messages of a day were not counted.');
  if (counted.tenMinutes >= SENT_MAX.tenMinutes)
    throw tooMany('Too many codes were sent. Wait ten minutes and try again.', LIFETIME_MS);
  const isOtherNumber = purpose === 'new-phone' && counted.otherNumbers >= SENT_MAX.newNumbers;
  if (isOtherNumber || counted.day >= SENT_MAX.day || counted.number >= SENT_MAX.number)
    throw tooMany('Too many codes were sent today. Use another second factor, or try again tomorrow.', DAY_MS);
  if (counted.provider >= messagesADayMax)
    throw tooMany(
      'Your provider sends no further codes today. Use another second factor, or ask its administrator.',
      DAY_MS,
    );
}

export function tooMany(message: string, waitMs: number): Refusal {
  return new Refusal(429, 'TOO_MANY_TRIES', message, { retryAfterSeconds: waitMs / 1_000 });
}

/** The number to which this code was sent last for the purpose; `null` for a wrong code, one that is too old or was used. */
export async function spendSmsCode(
  context: PublicContext,
  services: SmsServices,
  user: UserKey,
  { purpose, code }: { purpose: CodePurpose; code: string },
): Promise<string | null> {
  const tried = await countAttemptAt(context.database, user, purpose, context.now());
  if (tried === null) return null;
  const checked = await withSmsCodes(context, services, user.providerId, async (codes) => ({
    isRight: await context.outside((gone) => codes.isCode(tried.verification, code, gone)),
  }));
  if (!checked.isRight) return null;
  // A phone that was replaced meanwhile proves nothing.
  if (purpose !== 'new-phone' && tried.number !== (await numberOf(context.database, user))) return null;
  const unused = sql`provider_id = ${user.providerId} and id = ${tried.id} and used_at is null`;
  return (await update(context.database, smsCodes, { usedAt: context.now() }, unused)) === 1 ? tried.number : null;
}

/** Counts a try of the last code before it is looked at: a hundred guesses sent at once are a hundred tries. */
function countAttemptAt(
  connection: Connection,
  { providerId, id }: UserKey,
  purpose: CodePurpose,
  now: Date,
): Promise<{ id: string; number: string; verification: string } | null> {
  return row(
    connection,
    sql`update sms_codes set tries = tries + 1
        where provider_id = ${providerId} and used_at is null and tries < ${TRIES_MAX} and verification is not null
          and sent_at > ${new Date(now.getTime() - LIFETIME_MS)}
          and id = (select c.id from sms_codes c where c.provider_id = ${providerId} and c.user_id = ${id} and c.purpose = ${purpose}
            order by c.sent_at desc, c.id desc limit 1)
        returning id, number, verification`,
  );
}

/** The number to which a code for a new phone was sent last, if it still counts. */
export async function pendingNumberOf(
  connection: Connection,
  { providerId, id }: UserKey,
  now: Date,
): Promise<string | null> {
  const found = await row<{ number: string }>(
    connection,
    sql`select number from sms_codes where provider_id = ${providerId} and user_id = ${id} and purpose = 'new-phone'
          and used_at is null and sent_at > ${new Date(now.getTime() - LIFETIME_MS)} order by sent_at desc, id desc limit 1`,
  );
  return found?.number ?? null;
}

/** Codes of a user no longer count: what was begun with a lost phone ends with it. Messages stay counted. */
export async function endSmsCodes(connection: Connection, { providerId, id: userId }: UserKey): Promise<void> {
  await update(connection, smsCodes, { tries: TRIES_MAX }, { providerId, userId });
}

/** Deletes messages that no longer count towards a day. */
export async function removeOldSmsCodes(connection: Connection, now: Date): Promise<void> {
  await remove(connection, smsCodes, sql`${smsCodes.sentAt} <= ${new Date(now.getTime() - DAY_MS)}`);
}
