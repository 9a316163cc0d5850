import type { requestSupport } from '@keepwatch/contract/support/support';
import { SUPPORT_REQUESTS_AN_HOUR } from '@keepwatch/contract/support/support';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { cutText } from '../foundation/cut-text.ts';
import { type Connection, execute, row } from '../foundation/database.ts';
import { Refusal } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { newId } from '../foundation/secrets.ts';
import { insert, remove } from '../foundation/table-writes.ts';
import { supportRequests } from './tables.ts';

const BROWSER_LENGTH_MAX = 300;
const HOUR_MS = 3_600_000;
/** A request that was mailed is with the support; here it is only for mails that are still on their way. */
const DAYS_STORED = 30;

/** Names a request in the users logs. */
export const nameOfSupportRequest: NameOfTarget = (scope, id) =>
  sql`select t.subject from support_requests t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

/** Stores what a user asks of the support. Gives its id. Throws 429 for a user who sent too many within an hour. */
export async function storeRequest(
  connection: Connection,
  { actor, scope: { providerId }, userAgent, now }: Pick<SignedInContext, 'actor' | 'scope' | 'userAgent' | 'now'>,
  request: CallInput<typeof requestSupport>['body'],
): Promise<string> {
  await requireFewRequests(connection, providerId, actor.userId, now());
  const id = newId();
  const { subject, message, page = null } = request;
  const browser = userAgent === null ? null : cutText(userAgent, BROWSER_LENGTH_MAX);
  const asked = { subject, message, page, browser, createdAt: now() };
  await insert(connection, supportRequests, { providerId, id, userId: actor.userId, ...asked });
  return id;
}

async function requireFewRequests(connection: Connection, providerId: number, userId: string, now: Date) {
  // Requests of one user are counted one after the other: of several at once, none is missed.
  await execute(
    connection,
    sql`select pg_advisory_xact_lock(hashtextextended(${`support ${providerId} ${userId}`}, 0))`,
  );
  const sent = await row<{ count: number; first: string }>(
    connection,
    sql`select count(*) as count, min(created_at) as first from support_requests
        where provider_id = ${providerId} and user_id = ${userId} and created_at > ${new Date(now.getTime() - HOUR_MS)}`,
  );
  if (sent === null || sent.count < SUPPORT_REQUESTS_AN_HOUR) return;
  const waitMs = new Date(sent.first).getTime() + HOUR_MS - now.getTime();
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  throw new Refusal(
    429,
    'TOO_MANY_TRIES',
    `You sent ${SUPPORT_REQUESTS_AN_HOUR} requests within an hour. Wait ${minutes} minutes, or answer the copy that you were mailed.`,
    { retryAfterSeconds: minutes * 60 },
  );
}

export interface StoredRequest {
  subject: string;
  message: string;
  page: string | null;
  browser: string | null;
  createdAt: string;
  username: string;
  name: string;
  email: string;
  /** Of a user who is limited to some; `null` for one who sees all. */
  companies: string[] | null;
}

/** Deletes requests that were mailed long ago. */
export async function removeOldRequests(connection: Connection, now: Date): Promise<void> {
  const over = new Date(now.getTime() - DAYS_STORED * 24 * HOUR_MS);
  await remove(connection, supportRequests, sql`${supportRequests.createdAt} < ${over}`);
}
