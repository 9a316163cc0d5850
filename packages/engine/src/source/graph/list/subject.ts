import type { ObjectKind } from '../../../model/protected-object.ts';
import type { GraphConnection } from '../connection.ts';
import { booleanOf, type JsonObject, objectsOf, textOf, textsOf } from '../json.ts';

/** A person, a Microsoft 365 group, a team or a site: what objects hang on. */
export interface Subject {
  type: 'user' | 'group' | 'team' | 'site';
  id: string;
  name: string;
  /** Sign-in address of a user, address of a group, URL of a site; `null` for a team. */
  address: string | null;
  /** Services of which the user has a plan in force, such as `exchange`; nothing of teams and sites. */
  services: ReadonlySet<string>;
  /** Of a user: whether there may be a mailbox without a plan, as shared ones are. Of a site: whether it is a person's. */
  mayHaveUnlicensedMailbox: boolean;
  isPersonal: boolean;
}

/** Kinds of objects that may hang on a subject. */
export const KINDS_OF: Readonly<Record<Subject['type'], readonly ObjectKind[]>> = {
  user: ['mailbox', 'archive', 'drive', 'chats'],
  group: ['mailbox', 'planner'],
  team: ['team', 'drive', 'planner'],
  site: ['site', 'drive'],
};

export const keyOf = ({ type, id }: { type: string; id: string }) => `${type}/${id.toLowerCase()}`;

export const USER_QUERY = '$select=id,displayName,mail,userPrincipalName,userType,assignedPlans';
export const GROUP_QUERY = '$select=id,displayName,mail,groupTypes,resourceProvisioningOptions';

export function userSubject(user: JsonObject): Subject {
  const plans = objectsOf(user['assignedPlans']).filter((plan) => plan['capabilityStatus'] === 'Enabled');
  const address = textOf(user['mail']) ?? textOf(user['userPrincipalName']) ?? null;
  return {
    type: 'user',
    id: textOf(user['id']) ?? '',
    name: textOf(user['displayName']) ?? address ?? '',
    address,
    services: new Set(plans.flatMap((plan) => textOf(plan['service'])?.toLowerCase() ?? [])),
    mayHaveUnlicensedMailbox: textOf(user['mail']) !== undefined && user['userType'] !== 'Guest',
    isPersonal: false,
  };
}

export function teamSubject(team: JsonObject): Subject {
  const id = textOf(team['id']) ?? '';
  const name = textOf(team['displayName']) ?? id;
  return {
    type: 'team',
    id,
    name,
    address: null,
    services: new Set(),
    mayHaveUnlicensedMailbox: false,
    isPersonal: false,
  };
}

/** What a group of the directory is besides a list of people: a team, or a mailbox of its own. */
export function groupSubjects(group: JsonObject): Subject[] {
  const subjects = textsOf(group['resourceProvisioningOptions']).includes('Team') ? [teamSubject(group)] : [];
  if (!textsOf(group['groupTypes']).includes('Unified')) return subjects;
  const { name, ...team } = teamSubject(group);
  return [...subjects, { ...team, type: 'group', name: `${name} (group)`, address: textOf(group['mail']) ?? null }];
}

export function siteSubject(site: JsonObject): Subject {
  const address = textOf(site['webUrl']) ?? null;
  return {
    type: 'site',
    id: textOf(site['id']) ?? '',
    name: textOf(site['displayName']) ?? textOf(site['name']) ?? address ?? '',
    address,
    services: new Set(),
    mayHaveUnlicensedMailbox: false,
    isPersonal: booleanOf(site['isPersonalSite']) ?? false,
  };
}

export async function* allUsers(connection: GraphConnection, signal: AbortSignal): AsyncGenerator<Subject> {
  for await (const { value } of connection.pages({ path: `/users?${USER_QUERY}&$top=999`, signal }))
    yield* value.map(userSubject);
}

/** Teams and groups with mailboxes. */
export async function* allGroups(connection: GraphConnection, signal: AbortSignal): AsyncGenerator<Subject> {
  for await (const { value } of connection.pages({ path: `/groups?${GROUP_QUERY}&$top=999`, signal }))
    yield* value.flatMap(groupSubjects);
}
