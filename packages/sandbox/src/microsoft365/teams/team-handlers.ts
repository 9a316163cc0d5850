import type { Group } from '../directory/group.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import { readNewChannel } from './channel-handlers.ts';
import type { Team, TeamSettings } from './team.ts';
import { boundUser, instantAt, refused, teamOf } from './team-call.ts';
import { channelEntity, teamEntity, teamMembers } from './team-entity.ts';
import { addChannel, allTeams, findTeam, makeTeam } from './team-making.ts';

const representation = ({ tenant }: GraphCall) => ({
  context: 'teams',
  expand: {
    channels: (entity: JsonObject) => {
      const team = findTeam(tenant, String(entity['id']));
      return [...team.channels.values()].map((channel) => channelEntity(channel, team, tenant));
    },
    members: (entity: JsonObject) => teamMembers(findTeam(tenant, String(entity['id'])), tenant),
  },
});

const teamReply = (call: GraphCall, team: Team, status = 200) =>
  entityReply(call, teamEntity(team, call.tenant), { ...representation(call), context: 'teams/$entity' }, status);

/** Of teams in a list the vendor gives id, name and description alone. */
export function listTeams(call: GraphCall): GraphReply {
  const teams = allTeams(call.tenant).map((team) => {
    const { id, displayName, description, visibility } = teamEntity(team, call.tenant);
    return { id, displayName, description, visibility };
  });
  return collectionReply(call, teams, representation(call));
}

export function listJoinedTeams(call: GraphCall): GraphReply {
  const { tenant } = call;
  const { id } = tenant.directory.user(call.params['user'] ?? '');
  const isMember = (team: Team) => tenant.directory.group(team.id).memberIds.includes(id);
  const joined = allTeams(tenant).filter(isMember);
  return collectionReply(
    call,
    joined.map((team) => teamEntity(team, tenant)),
    representation(call),
  );
}

export const getTeam = (call: GraphCall): GraphReply => teamReply(call, teamOf(call));

/** Begins to make a team with its group: 202, with the operation that reports when it is done. */
export function createTeam(call: GraphCall): GraphReply {
  const { tenant } = call;
  const body = objectOf(call.body);
  if (!textOf(body['template@odata.bind'])) throw refused('A team needs template@odata.bind.');
  const isMigration = body['@microsoft.graph.teamCreationMode'] === 'migration';
  const createdMs = isMigration ? pastInstant(call, body) : tenant.nowMs();
  const owners = objectsOf(body['members']).map((member) => boundUser(call, member));
  if (owners.length === 0 && !isMigration && call.caller.userId === null && !body['group@odata.bind']) {
    throw refused('A team owner must be provided when creating a team in application context.');
  }
  const group = boundGroup(call, body) ?? newGroup(call, body, owners);
  const migration = isMigration ? { mode: 'inProgress' as const, applicationId: call.caller.applicationId } : undefined;
  const team = makeTeam(tenant, group, createdMs, migration);
  for (const channel of objectsOf(body['channels'])) {
    if (textOf(channel['displayName']) !== 'General') addChannel(tenant, team, readNewChannel(call, channel));
  }
  team.settings = settingsOf(team, body);
  return operationReply(call, team);
}

/** Makes a team of a group that is there. */
export function createGroupTeam(call: GraphCall): GraphReply {
  const { tenant } = call;
  const group = tenant.directory.group(call.params['group'] ?? '');
  if (group.hasTeam) throw new GraphError(409, 'Conflict', 'The group already has a team.');
  const team = makeTeam(tenant, group, tenant.nowMs());
  team.settings = settingsOf(team, objectOf(call.body));
  return teamReply(call, team, 201);
}

function operationReply(call: GraphCall, team: Team): GraphReply {
  const { tenant } = call;
  const id = tenant.newId();
  tenant.teams.operations.set(id, { id, teamId: team.id, createdMs: tenant.nowMs(), polls: 0 });
  const location = `/teams('${team.id}')/operations('${id}')`;
  return { status: 202, headers: { location, 'content-location': `/teams('${team.id}')` } };
}

export function getOperation(call: GraphCall): GraphReply {
  const operation = call.tenant.teams.operations.get(call.params['operation'] ?? '');
  if (!operation) throw new GraphError(404, 'NotFound', 'The operation was not found.');
  operation.polls += 1;
  const { id, teamId, createdMs, polls } = operation;
  const entity = {
    id,
    operationType: 'createTeam',
    createdDateTime: new Date(createdMs).toISOString(),
    status: polls === 1 ? 'inProgress' : 'succeeded',
    lastActionDateTime: new Date(call.tenant.nowMs()).toISOString(),
    attemptsCount: 1,
    targetResourceId: teamId,
    targetResourceLocation: `/teams('${teamId}')`,
    error: null,
  };
  return entityReply(call, entity, { context: 'teamsAsyncOperation/$entity' });
}

export function updateTeam(call: GraphCall): GraphReply {
  const team = teamOf(call);
  const body = objectOf(call.body);
  team.settings = settingsOf(team, body);
  const { directory } = call.tenant;
  const group = directory.group(team.id);
  const displayName = textOf(body['displayName']) ?? group.displayName;
  const description = textOf(body['description']) ?? group.description;
  directory.putGroup({ ...group, displayName, description });
  return { status: 204 };
}

export function archiveTeam(call: GraphCall): GraphReply {
  return setArchived(call, true);
}

export function unarchiveTeam(call: GraphCall): GraphReply {
  return setArchived(call, false);
}

/** Ends the import into a team, after that of each of its channels but General, which it ends with. */
export function completeTeamMigration(call: GraphCall): GraphReply {
  const team = teamOf(call);
  if (!team.isMigrating) throw refused('The team is not in migration mode.');
  const [general, ...others] = team.channels.values();
  if (others.some(({ migration }) => migration?.mode === 'inProgress')) {
    throw refused('The migration of the channels must be completed before that of the team.');
  }
  team.isMigrating = false;
  if (general?.migration) general.migration = { ...general.migration, mode: 'completed' };
  return { status: 204 };
}

function setArchived(call: GraphCall, isArchived: boolean): GraphReply {
  const team = teamOf(call);
  team.isArchived = isArchived;
  return operationReply(call, team);
}

/** @throws GraphError 400 unless the instant is there and is in the past */
export function pastInstant(call: GraphCall, body: JsonObject): number {
  const ms = instantAt(body, 'createdDateTime');
  if (ms === undefined || ms >= call.tenant.nowMs()) throw refused('createdDateTime must be given and be in the past.');
  return ms;
}

function boundGroup({ tenant }: GraphCall, body: JsonObject): Group | undefined {
  const id = /groups(?:\('|\/)([^')]+)/.exec(String(body['group@odata.bind'] ?? ''))?.[1];
  return id === undefined ? undefined : tenant.directory.group(id);
}

function newGroup(call: GraphCall, body: JsonObject, owners: string[]): Group {
  const { tenant } = call;
  const displayName = textOf(body['displayName']);
  if (!displayName) throw refused('A team needs a displayName.');
  const id = tenant.newId();
  const mailNickname = `${displayName.replace(/[^A-Za-z0-9]/g, '') || 'team'}${id.slice(0, 4)}`;
  const group: Group = {
    id,
    kind: 'microsoft365',
    displayName,
    description: textOf(body['description']) ?? null,
    mail: `${mailNickname}@${tenant.domain}`,
    mailNickname,
    visibility: String(body['visibility'] ?? 'private').toLowerCase() === 'public' ? 'Public' : 'Private',
    hasTeam: true,
    createdMs: tenant.nowMs(),
    memberIds: owners,
    ownerIds: owners,
    deletedMs: null,
  };
  tenant.directory.putGroup(group);
  return group;
}

function settingsOf({ settings }: Team, body: JsonObject): TeamSettings {
  const changed = (name: keyof TeamSettings) => ({ ...settings[name], ...objectOf(body[name]) });
  return {
    memberSettings: changed('memberSettings'),
    guestSettings: changed('guestSettings'),
    messagingSettings: changed('messagingSettings'),
    funSettings: changed('funSettings'),
  };
}
