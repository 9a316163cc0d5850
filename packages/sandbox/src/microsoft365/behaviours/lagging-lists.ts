import type { Group } from '../directory/group.ts';
import type { User } from '../directory/user.ts';
import type { Site } from '../sites/site.ts';
import type { Tenant } from '../tenant.ts';

const LAG_MS = 60_000;

/** The instant that lists show; https://learn.microsoft.com/graph/aad-advanced-queries (an eventually consistent directory). */
const listedMs = ({ behaviours, nowMs }: Tenant) => nowMs() - (behaviours.laggingLists ? LAG_MS : 0);

/** The persons that a list shows: who came a moment ago is not on it, and who left still is. */
export const listedUsers = (tenant: Tenant): User[] => tenant.directory.usersAt(listedMs(tenant));

/** The same of sites; https://learn.microsoft.com/graph/api/site-getallsites names no instant that its list is of. */
export const listedSites = (tenant: Tenant): Site[] => tenant.sites.allAt(listedMs(tenant));

export const listedGroups = (tenant: Tenant): Group[] => tenant.directory.groupsAt(listedMs(tenant));

/** Which of these members a list shows. */
export function listedMembers(tenant: Tenant, ids: readonly string[]): string[] {
  if (!tenant.behaviours.laggingLists) return [...ids];
  const listed = new Set([...listedUsers(tenant), ...listedGroups(tenant)].map(({ id }) => id));
  return ids.filter((id) => listed.has(id));
}
