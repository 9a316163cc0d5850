import { sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../foundation/database.ts';
import { Refusal } from '../foundation/errors.ts';
import { networkOf } from '../foundation/http/network.ts';
import { remove } from '../foundation/table-writes.ts';
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
  const counters = accountCountersOf(attempt, account);
  if (counters.length === 0) return true;
  const counted = await increase(connection, attempt.providerId, counters, now);
  return counted.every(({ kind, count: times }) => times <= COUNTED_MAX[kind]);
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
  for (const { kind, count: counted, since } of await increase(connection, providerId, counters, now))
    if (counted > COUNTED_MAX[kind]) throw tooMany(what, Date.parse(since) + WINDOW_MS - now.getTime());
}

interface Counted extends Pick<Counter, 'kind'> {
  count: number;
  since: string;
}

/** One statement, so that a sign-in waits once for the disk. Counters after one that is over are left as they are. */
function increase(
  connection: Connection,
  providerId: number,
  counters: readonly Counter[],
  now: Date,
): Promise<Counted[]> {
  const isOver = sql`a.since <= ${new Date(now.getTime() - WINDOW_MS)}`;
  const nameOf = (place: number) => sql.identifier(`counted_${place}`);
  const steps = counters.map(({ kind, key }, place) => {
    const before = counters[place - 1];
    const where =
      before === undefined ? sql`` : sql`from ${nameOf(place - 1)} b where b.count <= ${COUNTED_MAX[before.kind]}`;
    return sql`${nameOf(place)} as (insert into sign_in_attempts as a (provider_id, kind, key, count, since)
      select ${providerId}::integer, ${kind}::text, lower(${key}), 1, ${now}::timestamptz ${where}
      on conflict (provider_id, kind, key) do update set count = case when ${isOver} then 1 else a.count + 1 end,
        since = case when ${isOver} then excluded.since else a.since end
      returning kind, count, since)`;
  });
  const all = counters.map((_, place) => sql`select kind, count, since from ${nameOf(place)}`);
  return rows<Counted>(connection, sql`with ${sql.join(steps, sql`, `)} ${sql.join(all, sql` union all `)}`);
}

function tooMany(what: string, waitMs: number): Refusal {
  return new Refusal(429, 'TOO_MANY_TRIES', `Too many ${what}. Wait ten minutes and try again.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}

/**
 * Takes an attempt with the right password out of the counts: its own begin again, those that others share lose this one. The rows are locked
 * in the order in which they are counted: two sign-ins never wait for each other. `account`: the one in a directory that was found.
 */
export async function uncountAttempt(
  connection: Connection,
  attempt: SignInAttempt,
  account: string | null = null,
): Promise<void> {
  const counters = [...countersOf(attempt), ...(account === null ? [] : accountCountersOf(attempt, account))];
  const kinds = sql`${sql.param(counters.map(({ kind }) => kind))}::text[]`;
  const own = sql`${sql.param(counters.filter(isOwn).map(({ kind }) => kind))}::text[]`;
  const keys = sql.join(
    counters.map(({ kind, key }) => sql`(${kind}, lower(${key}))`),
    sql`, `,
  );
  const isLocked = sql`a.provider_id = ${attempt.providerId} and a.kind = l.kind and a.key = l.key`;
  await execute(
    connection,
    sql`with locked as materialized (select a.kind, a.key from sign_in_attempts a
          where a.provider_id = ${attempt.providerId} and (a.kind, a.key) in (${keys}) order by array_position(${kinds}, a.kind) for update),
        begun as (delete from sign_in_attempts a using locked l where ${isLocked} and a.kind = any(${own}))
        update sign_in_attempts a set count = greatest(a.count - 1, 0) from locked l where ${isLocked} and a.kind <> all(${own})`,
  );
}

/** Deletes counts that are over. */
export async function removeOldAttempts(connection: Connection, now: Date): Promise<void> {
  const over = new Date(now.getTime() - WINDOW_MS);
  await remove(connection, signInAttempts, sql`${signInAttempts.since} <= ${over}`);
}
