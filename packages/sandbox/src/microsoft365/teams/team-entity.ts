import { memberEntity } from '../chats/member-entity.ts';
import type { Tenant } from '../tenant.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Channel, Tab } from './channel.ts';
import { appOf, type InstalledApp, type Team } from './team.ts';

const instantOf = (ms: number) => new Date(ms).toISOString();

/** The `team` of the wire. */
export function teamEntity(team: Team, tenant: Tenant): JsonObject {
  const group = tenant.directory.group(team.id);
  const [general] = team.channels.values();
  const thread = encodeURIComponent(general?.id ?? '');
  return {
    id: team.id,
    createdDateTime: instantOf(team.createdMs),
    displayName: group.displayName,
    description: group.description,
    internalId: general?.id ?? null,
    classification: null,
    specialization: 'none',
    visibility: (group.visibility ?? 'Private').toLowerCase(),
    webUrl: `https://teams.microsoft.com/l/team/${thread}/conversations?groupId=${team.id}&tenantId=${tenant.id}`,
    isArchived: team.isArchived,
    tenantId: tenant.id,
    ...team.settings,
    summary: {
      ownersCount: group.ownerIds.length,
      membersCount: group.memberIds.length - group.ownerIds.length,
      guestsCount: 0,
    },
  };
}

/** The `channel` of the wire. */
export function channelEntity(channel: Channel, team: Team, tenant: Tenant): JsonObject {
  const { id, displayName, description, membershipType, createdMs, isFavoriteByDefault, isArchived, email } = channel;
  const link = `${encodeURIComponent(id)}/${encodeURIComponent(displayName)}`;
  return {
    id,
    createdDateTime: instantOf(createdMs),
    displayName,
    description,
    isFavoriteByDefault,
    email,
    tenantId: tenant.id,
    webUrl: `https://teams.microsoft.com/l/channel/${link}?groupId=${team.id}&tenantId=${tenant.id}`,
    membershipType,
    isArchived,
    ...(channel.migration && { migrationMode: channel.migration.mode }),
  };
}

/** Members of a team are those of its group; owners have the role `owner`, guests `guest`. */
export function teamMembers(team: Team, tenant: Tenant): JsonObject[] {
  const { memberIds, ownerIds } = tenant.directory.group(team.id);
  const users = [...new Set([...ownerIds, ...memberIds])].filter((id) => tenant.directory.findUser(id));
  const facts = { conversationId: team.id, people: tenant.drives.people, tenantId: tenant.id };
  return users.map((id) => memberEntity(id, rolesOf(id, ownerIds, tenant), facts));
}

function rolesOf(userId: string, ownerIds: readonly string[], tenant: Tenant): string[] {
  if (ownerIds.includes(userId)) return ['owner'];
  return tenant.directory.findUser(userId)?.userType === 'Guest' ? ['guest'] : [];
}

export function channelMembers(channel: Channel, team: Team, tenant: Tenant): JsonObject[] {
  if (!channel.members) return teamMembers(team, tenant);
  const facts = { conversationId: channel.id, people: tenant.drives.people, tenantId: tenant.id };
  return [...channel.members].map(([userId, roles]) => memberEntity(userId, roles, facts));
}

/** The `teamsTab` of the wire; its app is a relation. */
export function tabEntity({ id, displayName, configuration }: Tab, channel: Channel): JsonObject {
  const webUrl = `https://teams.microsoft.com/l/entity/tab/${id}?channel=${encodeURIComponent(channel.id)}`;
  return { id, displayName, webUrl, configuration };
}

export function appEntity(appId: string): JsonObject {
  const { id, displayName } = appOf(appId);
  return { id, externalId: null, displayName, distributionMethod: 'store' };
}

export const installationEntity = ({ id }: InstalledApp): JsonObject => ({ id });
