import { createHash } from 'node:crypto';
import { Conversation } from '../chats/conversation.ts';
import type { Group } from '../directory/group.ts';
import { builderOf, groupSite } from '../sites/group-site.ts';
import { driveOf } from '../sites/site-call.ts';
import type { Tenant } from '../tenant.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { Channel } from './channel.ts';
import { type Team, usualSettings } from './team.ts';

const notFound = (what: string) => new GraphError(404, 'NotFound', `No ${what} found with the given id.`);

/** What a channel is made from. */
export interface NewChannel {
  displayName: string;
  description?: string | null;
  membershipType?: Channel['membershipType'];
  createdMs: number;
  members?: Map<string, string[]>;
  migration?: Channel['migration'];
  isFavoriteByDefault?: boolean;
}

/** Every group with a team behind it. */
export function allTeams(tenant: Tenant): Team[] {
  return tenant.directory.groups.filter(({ hasTeam }) => hasTeam).map((group) => ofGroup(tenant, group));
}

/** @throws GraphError 404 */
export function findTeam(tenant: Tenant, id: string): Team {
  const group = tenant.directory.findGroup(id);
  if (!group?.hasTeam) throw notFound('team');
  return ofGroup(tenant, group);
}

/** Makes the team of a group with its General channel; the group says that it has one. */
export function makeTeam(tenant: Tenant, group: Group, createdMs: number, migration?: Channel['migration']): Team {
  const isMigrating = migration !== undefined;
  const facts = { id: group.id, createdMs, isArchived: false, isMigrating, settings: usualSettings };
  const team: Team = { ...facts, channels: new Map(), installedApps: [] };
  tenant.teams.put(team);
  const description = group.description ?? group.displayName;
  const general = { displayName: 'General', description, createdMs, isFavoriteByDefault: true };
  addChannel(tenant, team, { ...general, ...(migration && { migration }) });
  if (!group.hasTeam) tenant.directory.putGroup({ ...group, hasTeam: true });
  return team;
}

export function addChannel(tenant: Tenant, team: Team, given: NewChannel): Channel {
  const number = team.channels.size;
  const key = createHash('md5').update(`${team.id}/${number}/${given.displayName}`).digest('hex');
  const membershipType = given.membershipType ?? 'standard';
  const channel: Channel = {
    id: `19:${key}@thread.tacv2`,
    displayName: given.displayName,
    description: given.description ?? null,
    membershipType,
    createdMs: given.createdMs,
    isFavoriteByDefault: given.isFavoriteByDefault ?? false,
    isArchived: false,
    email: `${key.slice(0, 8)}.${tenant.domain}@emea.teams.ms`,
    migration: given.migration,
    members: membershipType === 'standard' ? undefined : (given.members ?? new Map()),
    tabs: [],
    conversation: new Conversation(),
    drive: driveOfChannel(tenant, team, membershipType, given.displayName, key),
  };
  team.channels.set(channel.id, channel);
  return channel;
}

function ofGroup(tenant: Tenant, group: Group): Team {
  return tenant.teams.find(group.id) ?? makeTeam(tenant, group, group.createdMs);
}

/** Standard channels share the library of the group's site; private and shared ones have a site of their own. */
function driveOfChannel(
  tenant: Tenant,
  team: Team,
  membershipType: Channel['membershipType'],
  name: string,
  key: string,
): Channel['drive'] {
  if (membershipType === 'standard') return () => driveOf(groupSite(tenant, team.id).defaultLibrary);
  groupSite(tenant, team.id);
  const site = builderOf(tenant).channel(team.id, name, key.slice(0, 8));
  return () => driveOf(site.defaultLibrary);
}

/** @throws GraphError 404 */
export function channelOf(team: Team, id: string): Channel {
  const channel = team.channels.get(id);
  if (!channel) throw notFound('channel');
  return channel;
}
