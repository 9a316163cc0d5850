import { mix, pick, uid, unit } from '../../world/random.ts';
import type { TenantFacts, TenantSize } from '../tenant-facts.ts';
import { Directory } from './directory.ts';
import type { Group, GroupKind } from './group.ts';
import { departments, groupNames, jobTitles, people } from './person-names.ts';
import { exchangePlan1, officeE3 } from './products.ts';
import type { User } from './user.ts';

const userCounts: Readonly<Record<TenantSize, number>> = { empty: 0, small: 5, medium: 100, large: 100 };
const dayMs = 86_400_000;

/** The id of a user of the invented directory; number 0 is the administrator. */
export const userIdOf = (seed: number, number: number) => uid(seed, number, 501);

/** An administrator, people of every script, a shared mailbox, a guest, a blocked user, and groups of every kind. */
export function buildDirectory(facts: TenantFacts): Directory {
  const directory = new Directory(facts.directoryChanges);
  const count = userCounts[facts.size];
  directory.putUser(administrator(facts));
  for (let number = 1; number <= count; number += 1) directory.putUser(person(facts, number));
  if (count === 0) return directory;
  directory.putUser(sharedMailbox(facts, count + 1));
  directory.putUser(guest(facts, count + 2));
  const members = directory.users.filter(({ userType, accountEnabled }) => userType === 'Member' && accountEnabled);
  for (const group of groups(facts, members, facts.size === 'small' ? 4 : 12)) directory.putGroup(group);
  return directory;
}

/** A user with a name and an address, and nothing else yet. */
export function blankUser(facts: TenantFacts, id: string, localPart: string, displayName: string): User {
  const address = `${localPart}@${facts.domain}`;
  return {
    id,
    userPrincipalName: address,
    mail: address,
    displayName,
    givenName: null,
    surname: null,
    jobTitle: null,
    department: null,
    officeLocation: null,
    accountEnabled: true,
    userType: 'Member',
    usageLocation: null,
    preferredLanguage: null,
    createdMs: facts.madeMs,
    skuIds: [],
    mailbox: null,
    deletedMs: null,
  };
}

function blank(facts: TenantFacts, number: number, localPart: string, displayName: string): User {
  const createdMs = facts.madeMs - (900 + (mix(facts.seed, number, 502) % 900)) * dayMs;
  return { ...blankUser(facts, userIdOf(facts.seed, number), localPart, displayName), createdMs };
}

/** Has no licence and so no mailbox, as the first administrator of a tenant often is. */
function administrator(facts: TenantFacts): User {
  return { ...blank(facts, 0, 'admin', 'Administrator'), mail: null, preferredLanguage: 'en-US', usageLocation: 'US' };
}

function person(facts: TenantFacts, number: number): User {
  const { seed } = facts;
  const isNamed = number <= people.length;
  const index = isNamed ? number - 1 : mix(seed, number, 503) % people.length;
  const [givenName, surname, usageLocation, preferredLanguage, latin] = people[index] ?? people[0];
  // Names repeat in larger tenants; addresses cannot.
  const localPart = isNamed ? latin : `${latin}${number}`;
  const isDeskless = unit(seed, number, 504) < 0.15;
  return {
    ...blank(facts, number, localPart, `${givenName} ${surname}`),
    givenName,
    surname,
    usageLocation,
    preferredLanguage,
    jobTitle: pick(jobTitles, seed, number, 505),
    department: pick(departments, seed, number, 506),
    officeLocation: `${1 + (mix(seed, number, 507) % 20)}/${100 + (mix(seed, number, 508) % 900)}`,
    // One of the first five has left: blocked, but still with a mailbox.
    accountEnabled: number !== 5 && unit(seed, number, 509) > 0.04,
    skuIds: [(isDeskless ? exchangePlan1 : officeE3).skuId],
    mailbox: { purpose: 'user', timeZone: 'W. Europe Standard Time', hasArchive: number === 2 },
  };
}

function sharedMailbox(facts: TenantFacts, number: number): User {
  return {
    ...blank(facts, number, 'info', 'Info'),
    accountEnabled: false,
    mailbox: { purpose: 'shared', timeZone: 'UTC', hasArchive: false },
  };
}

function guest(facts: TenantFacts, number: number): User {
  const address = 'kim.novak@fabrikam.example';
  return {
    ...blank(facts, number, `${address.replace('@', '_')}#EXT#`, 'Kim Novak (Fabrikam)'),
    mail: address,
    userType: 'Guest',
  };
}

function groups(facts: TenantFacts, members: readonly User[], count: number): Group[] {
  const kinds: readonly GroupKind[] = ['microsoft365', 'microsoft365', 'security', 'distribution', 'mail-security'];
  return Array.from({ length: count }, (_, number): Group => {
    const kind = kinds[number % kinds.length] ?? 'security';
    const mailNickname = `group-${number + 1}`;
    const inGroup = members.filter((_member, at) => at % (number + 1) === 0 || at === number);
    return {
      id: uid(facts.seed, number, 511),
      kind,
      displayName: `${pick(groupNames, number)}${number < groupNames.length ? '' : ` ${number + 1}`}`,
      description: number % 2 === 0 ? 'Invented for the sandbox' : null,
      mail: kind === 'security' ? null : `${mailNickname}@${facts.domain}`,
      mailNickname,
      visibility: kind === 'microsoft365' ? (number % 2 === 0 ? 'Private' : 'Public') : null,
      hasTeam: kind === 'microsoft365',
      createdMs: facts.madeMs - (300 + number) * dayMs,
      memberIds: inGroup.map(({ id }) => id),
      ownerIds: inGroup.slice(0, 1).map(({ id }) => id),
      deletedMs: null,
    };
  });
}
