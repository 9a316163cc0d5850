import type { People } from '../drives/identity-set.ts';
import { lookupIdAt } from '../sites/lists/list-item-entity.ts';
import type { SiteList } from '../sites/lists/site-list.ts';
import type { Site } from '../sites/site.ts';
import type { JsonObject } from '../wire/json.ts';

/** https://learn.microsoft.com/sharepoint/understanding-permission-levels */
const LEVELS = { 'Full Control': 1073741829, Edit: 1073741830, Contribute: 1073741827, Read: 1073741826 } as const;
type Level = keyof typeof LEVELS;

/** Who has which level; `null` where it is inherited. */
export interface SiteRoles {
  site: RoleAssignment[] | null;
  /** By the id of the list. */
  lists: Map<string, RoleAssignment[]>;
  /** By the id of the list and the number of the row. */
  rows: Map<string, RoleAssignment[]>;
}

export interface RoleAssignment {
  member: JsonObject;
  levels: Level[];
}

const GROUPS = ['Owners', 'Members', 'Visitors'] as const;
const GROUP_LEVELS: Readonly<Record<(typeof GROUPS)[number], Level>> = {
  Owners: 'Full Control',
  Members: 'Edit',
  Visitors: 'Read',
};
const known = new WeakMap<Site, SiteRoles>();

/** The groups of a site, with the persons in them. */
export function siteGroups({ facts }: Site, people: People): JsonObject[] {
  return GROUPS.map((name, at) => ({
    Id: at + 3,
    Title: `${facts.displayName} ${name}`,
    LoginName: `${facts.displayName} ${name}`,
    OwnerTitle: `${facts.displayName} Owners`,
    PrincipalType: 8,
    Users: people
      .users()
      .slice(at, at + 2)
      .map((_, index) => userOf(people, at + index)),
  }));
}

/** Of every tenth row of lists that are no libraries, and of every second list, the roles are their own. */
export function rolesOf(site: Site, people: People): SiteRoles {
  const roles = known.get(site) ?? firstRoles(site, people);
  known.set(site, roles);
  return roles;
}

export const rowKey = (list: SiteList, row: string): string => `${list.facts.id}/${row}`;

function firstRoles(site: Site, people: People): SiteRoles {
  const groups: RoleAssignment[] = siteGroups(site, people).map(({ Users: _, ...member }, at) => {
    return { member, levels: [GROUP_LEVELS[GROUPS[at] ?? 'Visitors']] };
  });
  const own = [...site.lists.values()].filter(({ drive, facts }) => drive === undefined && !facts.isSystem);
  const lists = new Map(own.filter((_, at) => at % 2 === 1).map(({ facts }) => [facts.id, groups.slice(0, 2)]));
  const single: RoleAssignment = { member: userOf(people, 0), levels: ['Contribute'] };
  const rows = own.flatMap((list) =>
    list.items
      .filter((_, at) => at % 10 === 3)
      .map((row): [string, RoleAssignment[]] => [rowKey(list, row.id), [...groups.slice(0, 1), single]]),
  );
  return { site: site.parent === undefined ? groups : null, lists, rows: new Map(rows) };
}

function userOf(people: People, index: number): JsonObject {
  const person = people.users()[index];
  return {
    Id: Number(lookupIdAt(index)),
    Title: person?.displayName ?? 'System Account',
    LoginName: `i:0#.f|membership|${person?.userPrincipalName ?? 'system'}`,
    Email: person?.mail ?? '',
    PrincipalType: 1,
  };
}

/** As the wire has it; without `$expand` the number of the principal alone. */
export function assignmentEntity({ member, levels }: RoleAssignment, isExpanded: boolean): JsonObject {
  const bindings = levels.map((Name) => ({ Id: LEVELS[Name], Name, Description: '', RoleTypeKind: 0 }));
  return {
    PrincipalId: member['Id'],
    ...(isExpanded ? { Member: member, RoleDefinitionBindings: bindings } : {}),
  };
}
