import { sql } from 'drizzle-orm';
import { type Connection, execute, type Pool, row, transaction } from '../foundation/database.ts';
import { LIFETIME_MS, type LinkKind, makeLink, type NewLink } from './account-links.ts';

/** Accounts of one address that are mailed for it; more than that have no address of a person. */
export const ACCOUNTS_MAX = 5;

/** Links for forgotten passwords in ten minutes. A mailbox gets as many as three requests for its address lead to. */
const MAILED_MAX = { account: 3, mailbox: 3 * ACCOUNTS_MAX } as const;
const WINDOW_MS = 10 * 60 * 1_000;

interface Addressee {
  providerId: number;
  id: string;
  email: string;
}

/**
 * Makes a link that is to be mailed. `null`: the mailbox got enough of them. Requests are counted by what is typed before it is known whose that is, and a
 * user can be asked for by more than one name: here they are counted by whom they reach. Administrators, who invite, are trusted.
 */
export function makeMailedLink(pool: Pool, addressee: Addressee, kind: LinkKind, now: Date): Promise<NewLink | null> {
  return transaction(pool, async (connection) => {
    if (kind === 'password' && !(await hasLeft(connection, addressee, now))) return null;
    return makeLink(connection, addressee, kind, now);
  });
}

/** Whether another mail may go there; of two at once for a mailbox, the second one waits for the first one's link. */
async function hasLeft(connection: Connection, { providerId, id, email }: Addressee, now: Date): Promise<boolean> {
  const mailbox = `account-links ${providerId} ${email.toLowerCase()}`;
  await execute(connection, sql`select pg_advisory_xact_lock(hashtextextended(${mailbox}, 0))`);
  const since = new Date(now.getTime() - WINDOW_MS + LIFETIME_MS.password);
  const made = await row<{ account: number; mailbox: number }>(
    connection,
    sql`select count(*) filter (where l.user_id = ${id})::int as account, count(*)::int as mailbox
        from account_links l join users u on u.provider_id = l.provider_id and u.id = l.user_id
        where l.provider_id = ${providerId} and not l.is_invitation and l.expires_at > ${since} and lower(u.email) = lower(${email})`,
  );
  return made !== null && made.account < MAILED_MAX.account && made.mailbox < MAILED_MAX.mailbox;
}
