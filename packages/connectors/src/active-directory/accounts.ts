import { AndFilter, type Entry, EqualityFilter, ExtensibleFilter, OrFilter } from 'ldapts';
import type { DirectoryAccount } from '../ports/user-directory.ts';
import type { DirectorySession } from './session.ts';
import type { DirectorySettings } from './settings.ts';

/** LDAP_MATCHING_RULE_IN_CHAIN: follows groups within groups. */
const IN_CHAIN = '1.2.840.113556.1.4.1941';
const ATTRIBUTES = [
  ...['objectGUID', 'sAMAccountName', 'userPrincipalName', 'displayName', 'cn', 'mail'],
  ...['userAccountControl', 'accountExpires', 'pwdLastSet'],
];
/** ACCOUNTDISABLE, of `userAccountControl`. */
const DISABLED = 2;
const GROUPS_MAX = 5_000;

/** An account with where it is, and from when on it cannot sign in. */
export interface FoundAccount extends Omit<DirectoryAccount, 'roles'> {
  dn: string;
  closedAt: Date;
}

/**
 * The names that are looked up. A directory takes letters with and without accents for the same: only plain ones are asked for, and what it
 * gives is compared once more.
 */
const PLAIN_NAME = /^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/;

const IS_PERSON = [
  new EqualityFilter({ attribute: 'objectCategory', value: 'person' }),
  new EqualityFilter({ attribute: 'objectClass', value: 'user' }),
];

/** Finds the account of an account name or a user principal name; `null` where there is none, or more than one. */
export async function findByName(
  { client }: DirectorySession,
  { baseDn }: DirectorySettings,
  username: string,
): Promise<FoundAccount | null> {
  if (!PLAIN_NAME.test(username)) return null;
  const filter = new AndFilter({
    filters: [
      ...IS_PERSON,
      new OrFilter({
        filters: [
          new EqualityFilter({ attribute: 'sAMAccountName', value: username }),
          new EqualityFilter({ attribute: 'userPrincipalName', value: username }),
        ],
      }),
    ],
  });
  const { searchEntries } = await client.search(baseDn, { scope: 'sub', filter, ...READ });
  const asked = username.toLowerCase();
  const named = searchEntries.filter((entry) => namesOf(entry).some((name) => name.toLowerCase() === asked));
  const [only, other] = named;
  return only === undefined || other !== undefined ? null : accountOf(only);
}

const READ = { attributes: ATTRIBUTES, explicitBufferAttributes: ['objectGUID'] };

/** Finds an account by its id; `null` where it was removed. */
export async function findById(
  { client }: DirectorySession,
  { baseDn }: DirectorySettings,
  id: string,
): Promise<FoundAccount | null> {
  const filter = new AndFilter({
    filters: [...IS_PERSON, new EqualityFilter({ attribute: 'objectGUID', value: guidBytes(id) })],
  });
  const { searchEntries } = await client.search(baseDn, { scope: 'sub', filter, ...READ });
  const [entry] = searchEntries;
  return entry === undefined ? null : accountOf(entry);
}

/** The roles that the groups of an account give. */
export async function rolesOf(
  { client }: DirectorySession,
  { baseDn, groups }: DirectorySettings,
  { dn }: FoundAccount,
): Promise<string[]> {
  const filter = new AndFilter({
    filters: [
      new EqualityFilter({ attribute: 'objectClass', value: 'group' }),
      new ExtensibleFilter({ matchType: 'member', rule: IN_CHAIN, value: dn }),
    ],
  });
  const { searchEntries } = await client.search(baseDn, {
    scope: 'sub',
    filter,
    attributes: ['sAMAccountName'],
    sizeLimit: GROUPS_MAX,
    paged: { pageSize: 500 },
  });
  // Names of entries are unique in their folder alone: by name it is the account name of a group that counts.
  const memberOf = new Set(
    searchEntries.flatMap((entry) => [entry.dn.toLowerCase(), (textOf(entry, 'sAMAccountName') ?? '').toLowerCase()]),
  );
  return [...groups].filter(([, names]) => names.some((name) => memberOf.has(name))).map(([role]) => role);
}

/** The names to sign in with, the account name first. */
function namesOf(entry: Entry): string[] {
  return [textOf(entry, 'sAMAccountName'), textOf(entry, 'userPrincipalName')].filter((name) => name !== null);
}

/** It is called by a plain name: with the letters of every script, one name can look exactly like another person's. */
function accountOf(entry: Entry): FoundAccount | null {
  const guid = entry['objectGUID'];
  const username = namesOf(entry).find((name) => PLAIN_NAME.test(name));
  if (!Buffer.isBuffer(guid) || guid.length !== 16 || username === undefined) return null;
  const name = textOf(entry, 'displayName') ?? textOf(entry, 'cn') ?? username;
  const email = textOf(entry, 'mail');
  // 0: another password has to be chosen before the next sign-in.
  const passwordSetAt = instantOf(ticksOf(entry, 'pwdLastSet')) ?? new Date(0);
  return { dn: entry.dn, id: guidText(guid), username, name, email, closedAt: closedAtOf(entry), passwordSetAt };
}

const NEVER = new Date(8.64e15);

function closedAtOf(entry: Entry): Date {
  if ((Number(textOf(entry, 'userAccountControl') ?? 0) & DISABLED) !== 0) return new Date(0);
  const ticks = ticksOf(entry, 'accountExpires');
  return ticks > 9e18 ? NEVER : (instantOf(ticks) ?? NEVER);
}

const ticksOf = (entry: Entry, attribute: string) => Number(textOf(entry, attribute) ?? 0);

/** An instant in ticks of 100 ns since 1601; `null` for 0, which is none. */
function instantOf(ticks: number): Date | null {
  return ticks === 0 ? null : new Date(ticks / 10_000 - 11_644_473_600_000);
}

/** A value as text; `null` where there is none. One value comes as a text, several as a list, none as an empty list. */
function textOf(entry: Entry, attribute: string): string | null {
  const value = entry[attribute];
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === 'string' && first !== '' ? first : null;
}

/** A GUID as Windows writes it: its first three parts are stored with the last byte first. */
function guidText(bytes: Buffer): string {
  const hex = swapped(bytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function guidBytes(id: string): Buffer {
  return swapped(Buffer.from(id.replaceAll('-', ''), 'hex'));
}

function swapped(bytes: Buffer): Buffer {
  const [one, two, three] = [bytes.subarray(0, 4), bytes.subarray(4, 6), bytes.subarray(6, 8)];
  return Buffer.concat([...[one, two, three].map((part) => Buffer.from(part).reverse()), bytes.subarray(8)]);
}
