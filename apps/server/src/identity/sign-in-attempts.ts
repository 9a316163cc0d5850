import { sql } from 'drizzle-orm';
import { type Connection, row } from '../foundation/database.ts';
import { Refusal } from '../foundation/errors.ts';
import { networkOf } from '../foundation/http/network.ts';
import { remove, update } from '../foundation/table-writes.ts';
import { signInAttempts } from './tables.ts';

/** For how long wrong passwords are counted together. */
const WINDOW_MS = 10 * 60 * 1_000;

/**
 * Wrong passwords in ten minutes, by what they are counted by. A name is counted for each network, so that a stranger cannot lock out
 * its user, and over all networks, so that guesses from many of them are slow, too. A known device has a count of its own and is
 * subject to no other.
 */
const ATTEMPTS_MAX = { device: 8, 'name and network': 8, name: 24, network: 60 } as const;

/**
 * The same for an account of a directory, which has more than one name: those of one account count together. Who is over it is refused as with a wrong
 * password, because names without an account have no such count.
 */
const ACCOUNT_MAX = { 'account and network': ATTEMPTS_MAX['name and network'], account: ATTEMPTS_MAX.name } as const;

/** The same for wrong second factors, which are counted by themselves: who knows the password must not begin again with each sign-in. */
const FACTORS_MAX = {
  'second factor device': 8,
  'second factor name and network': 8,
  'second factor name': 12,
  'second factor network': 60,
} as const;

/** The same for wrong answers to secret questions: answers are easier to guess than passwords. */
const ANSWERS_MAX = {
  'secret answers device': 4,
  'secret answers name and network': 4,
  'secret answers name': 8,
  'secret answers network': 20,
} as const;

/** Requests for a link by mail in ten minutes: for one mailbox, so that no stranger can fill it, and from one network. */
const LINKS_MAX = { 'link name': 3, 'link network': 20 } as const;

const COUNTED_MAX = { ...ATTEMPTS_MAX, ...ACCOUNT_MAX, ...FACTORS_MAX, ...ANSWERS_MAX, ...LINKS_MAX };

interface Counter {
  kind: keyof typeof COUNTED_MAX;
  key: string;
}

/** What was wrong too often, by what was to be proved. */
const WRONG = { 'second factor': 'wrong codes', 'secret answers': 'wrong answers' } as const;

/** Who tries to sign in, as far as it is known before the password is looked at. */
export interface SignInAttempt {
  providerId: number;
  username: string;
  address: string;
  /** Hash of the token of a device from which this user has signed in before. */
  knownDevice: Buffer | null;
  /** What is given and may be wrong; the password unless it says. */
  proves?: keyof typeof WRONG;
}

/** The counters of an attempt, the narrowest first: what it refuses is not counted by those that others share. */
function countersOf({ username, address, knownDevice, proves }: SignInAttempt): Counter[] {
  const kindOf = <K extends keyof typeof ATTEMPTS_MAX>(kind: K) =>
    proves === undefined ? kind : (`${proves} ${kind}` as const);
  if (knownDevice !== null) return [{ kind: kindOf('device'), key: `${knownDevice.toString('hex')} ${username}` }];
  const network = networkOf(address);
  return [
    { kind: kindOf('name and network'), key: `${network} ${username}` },
    { kind: kindOf('network'), key: network },
    { kind: kindOf('name'), key: username },
  ];
}

/** Whether a counter belongs to one user alone, in one place. */
function isOwn({ kind }: Counter): boolean {
  return kind.endsWith('device') || kind.endsWith(' and network');
}

/** Counts an attempt. Throws 429 when there were too many in the last ten minutes. */
export async function countAttempt(connection: Connection, attempt: SignInAttempt, now: Date): Promise<void> {
  await count(
    connection,
    attempt.providerId,
    countersOf(attempt),
    attempt.proves === undefined ? 'wrong passwords' : WRONG[attempt.proves],
    now,
  );
}

/** The counters of an account that was found by the name of an attempt; none from a known device, as it has one of its own. */
function accountCountersOf({ address, knownDevice }: SignInAttempt, account: string): Counter[] {
  if (knownDevice !== null) return [];
  return [
    { kind: 'account and network', key: `${networkOf(address)} ${account}` },
    { kind: 'account', key: account },
  ];
}

/** Counts an attempt by the account that was found. Gives whether it is one of those that are let through. */
export async function countAtAccount(
  connection: Connection,
  attempt: SignInAttempt,
  account: string,
  now: Date,
): Promise<boolean> {
  return (await increase(connection, attempt.providerId, accountCountersOf(attempt, account), now)) === null;
}

/** Counts a request for a link by mail. Throws 429 when there were too many in the last ten minutes. */
export function countLinkRequest(
  connection: Connection,
  { providerId, login, address }: { providerId: number; login: string; address: string },
  now: Date,
): Promise<void> {
  const counters: Counter[] = [
    { kind: 'link name', key: login },
    { kind: 'link network', key: networkOf(address) },
  ];
  return count(connection, providerId, counters, 'requests', now);
}

async function count(
  connection: Connection,
  providerId: number,
  counters: readonly Counter[],
  what: string,
  now: Date,
): Promise<void> {
  const over = await increase(connection, providerId, counters, now);
  if (over !== null) throw tooMany(what, Date.parse(over.since) + WINDOW_MS - now.getTime());
}

/** Counts at each counter up to the first that is over, and gives that one; those after it are left as they are. */
async function increase(
  connection: Connection,
  providerId: number,
  counters: readonly Counter[],
  now: Date,
): Promise<{ since: string } | null> {
  for (const counter of counters) {
    const counted = await increaseOne(connection, providerId, counter, now);
    if (counted.count > COUNTED_MAX[counter.kind]) return counted;
  }
  return null;
}

async function increaseOne(
  connection: Connection,
  providerId: number,
  { kind, key }: Counter,
  now: Date,
): Promise<{ count: number; since: string }> {
  const isOver = sql`a.since <= ${new Date(now.getTime() - WINDOW_MS)}`;
  const counted = await row<{ count: number; since: string }>(
    connection,
    sql`insert into sign_in_attempts as a (provider_id, kind, key, count, since) values (${providerId}, ${kind}, lower(${key}), 1, ${now})
        on conflict (provider_id, kind, key) do update set count = case when ${isOver} then 1 else a.count + 1 end,
          since = case when ${isOver} then excluded.since else a.since end
        returning count, since`,
  );
  if (counted === null) throw new Error('An attempt to sign in was not counted.');
  return counted;
}

function tooMany(what: string, waitMs: number): Refusal {
  return new Refusal(429, 'TOO_MANY_TRIES', `Too many ${what}. Wait ten minutes and try again.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}

/**
 * Takes an attempt with the right password out of the counts: its own begin again, those that others share lose this one. `account`: the one in
 * a directory that was found.
 */
export async function uncountAttempt(
  connection: Connection,
  attempt: SignInAttempt,
  account: string | null = null,
): Promise<void> {
  for (const one of [...countersOf(attempt), ...(account === null ? [] : accountCountersOf(attempt, account))]) {
    const { kind, key } = one;
    const counter = { providerId: attempt.providerId, kind, key: sql`lower(${key})` };
    if (isOwn(one)) await remove(connection, signInAttempts, counter);
    else await update(connection, signInAttempts, { count: sql`greatest(count - 1, 0)` }, counter);
  }
}

/** Deletes counts that are over. */
export async function removeOldAttempts(connection: Connection, now: Date): Promise<void> {
  const over = new Date(now.getTime() - WINDOW_MS);
  await remove(connection, signInAttempts, sql`${signInAttempts.since} <= ${over}`);
}
