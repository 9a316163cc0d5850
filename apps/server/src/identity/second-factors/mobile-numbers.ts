import { sql } from 'drizzle-orm';
import { row, transaction } from '../../foundation/database.ts';
import { invalid } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert } from '../../foundation/table-writes.ts';
import { smsCodes } from '../tables.ts';
import { DAY_MS, LOOK_UP, lockSmsCodes, tooMany } from './sms-codes.ts';
import { type SmsServices, withSmsCodes } from './sms-service.ts';
import type { UserKey } from './user-key.ts';

/** Numbers that are looked up for one account in a day, as many as codes are sent to it. */
const LOOK_UPS_MAX = 10;

/**
 * A number as the service writes it. Throws 422, at the field, for one that receives no messages or costs more than usual, and 429 when too many were
 * looked up.
 */
export async function requireMobileNumber(
  context: PublicContext,
  services: SmsServices,
  user: UserKey,
  { number, path }: { number: string; path: string },
): Promise<string> {
  const found = await withSmsCodes(context, services, user.providerId, async (codes) => {
    await countLookUp(context, user, number, codes.messagesADayMax);
    return { number: await context.outside((gone) => codes.mobileNumber(number, gone)) };
  });
  if (found.number !== null) return found.number;
  throw invalid([
    { path, message: 'must be a mobile number that receives messages, with its country, like +1 555 010 0100' },
  ]);
}

/** Counts a look-up, which is paid for as a message is, before it is made. Messages are counted apart: look-ups leave users their codes. */
function countLookUp(
  { database, now }: PublicContext,
  { providerId, id: userId }: UserKey,
  number: string,
  lookUpsADayMax: number,
): Promise<void> {
  return transaction(database, async (connection) => {
    await lockSmsCodes(connection, providerId);
    const since = new Date(now().getTime() - DAY_MS);
    const counted = await row<{ own: number; provider: number }>(
      connection,
      sql`select count(*) filter (where user_id = ${userId})::int as own, count(*)::int as provider
          from sms_codes where provider_id = ${providerId} and purpose = ${LOOK_UP} and sent_at > ${since}`,
    );
    if (counted === null) throw new Error('The numbers of a day were not counted.');
    if (counted.own >= LOOK_UPS_MAX)
      throw tooMany('Too many numbers were tried today. Use another second factor, or try again tomorrow.', DAY_MS);
    if (counted.provider >= lookUpsADayMax)
      throw tooMany(
        'Your provider takes no further phones today. Use another second factor, or ask its administrator.',
        DAY_MS,
      );
    await insert(connection, smsCodes, { providerId, id: newId(), userId, purpose: LOOK_UP, number, sentAt: now() });
  });
}
