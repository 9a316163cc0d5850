import { appliesTo } from '../behaviours/behaviours.ts';
import { messageEntity } from '../chats/message-entity.ts';
import { editOf, entityOf, representationOf } from '../drives/items/item-call.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import type { Channel, Tab } from './channel.ts';
import { boundUser, forbidden, instantAt, refused, teamChannelOf, teamOf } from './team-call.ts';
import { appEntity, channelEntity, channelMembers, tabEntity } from './team-entity.ts';
import type { NewChannel } from './team-making.ts';
import { addChannel } from './team-making.ts';

const kinds = ['standard', 'private', 'shared'] as const;

export function listChannels(call: GraphCall): GraphReply {
  const team = teamOf(call);
  const { unlistedChannels } = call.tenant.behaviours;
  const listed = [...team.channels.values()].filter(({ id }) => !appliesTo(unlistedChannels, id));
  const channels = listed.map((channel) => channelEntity(channel, team, call.tenant));
  return collectionReply(call, channels, { context: 'channels' });
}

export function getChannel(call: GraphCall): GraphReply {
  const { team, channel } = teamChannelOf(call);
  return entityReply(call, channelEntity(channel, team, call.tenant), { context: 'channels/$entity' });
}

export function createChannel(call: GraphCall): GraphReply {
  const { tenant } = call;
  const team = teamOf(call);
  if (team.isArchived) throw forbidden('The team is archived.');
  const given = readNewChannel(call, objectOf(call.body));
  if ([...team.channels.values()].some(({ displayName }) => displayName === given.displayName)) {
    throw refused('Channel name already existed, please use other name.');
  }
  const channel = addChannel(tenant, team, given);
  return entityReply(call, channelEntity(channel, team, tenant), { context: 'channels/$entity' }, 201);
}

/** A channel that is to be made; in migration mode it takes an instant of the past. */
export function readNewChannel(call: GraphCall, body: JsonObject): NewChannel {
  const { caller, tenant } = call;
  const displayName = textOf(body['displayName']);
  if (!displayName || displayName.length > 50) throw refused('A channel needs a displayName of at most 50 characters.');
  const membershipType = kinds.find((kind) => kind === (body['membershipType'] ?? 'standard'));
  if (!membershipType) throw refused(`The membershipType '${String(body['membershipType'])}' is unknown.`);
  const modes = [body['@microsoft.graph.channelCreationMode'], body['@microsoft.graph.teamCreationMode']];
  const isMigration = modes.includes('migration');
  const members = new Map(
    objectsOf(body['members']).map((member) => [boundUser(call, member), textsOf(member['roles']) ?? []]),
  );
  if (membershipType !== 'standard' && members.size === 0 && caller.userId === null) {
    throw refused('A private or shared channel needs an owner when it is created in application context.');
  }
  return {
    displayName,
    description: textOf(body['description']) ?? null,
    membershipType,
    members,
    createdMs: (isMigration ? instantAt(body, 'createdDateTime') : undefined) ?? tenant.nowMs(),
    ...(isMigration && { migration: { mode: 'inProgress', applicationId: caller.applicationId } }),
    isFavoriteByDefault: body['isFavoriteByDefault'] === true,
  };
}

export function updateChannel(call: GraphCall): GraphReply {
  const { channel } = teamChannelOf(call);
  const body = objectOf(call.body);
  channel.displayName = textOf(body['displayName']) ?? channel.displayName;
  if ('description' in body) channel.description = textOf(body['description']) ?? null;
  return { status: 204 };
}

export function deleteChannel(call: GraphCall): GraphReply {
  const { team, channel } = teamChannelOf(call);
  if (channel === [...team.channels.values()][0]) throw refused('The General channel cannot be deleted.');
  team.channels.delete(channel.id);
  return { status: 204 };
}

/** The folder of a channel's files, made when it is first asked for. */
export function getFilesFolder(call: GraphCall): GraphReply {
  const { channel } = teamChannelOf(call);
  const drive = channel.drive();
  const folder =
    drive.child(drive.root, channel.displayName) ??
    drive.add(drive.root, { name: channel.displayName, kind: 'folder' }, editOf(call));
  return entityReply(call, entityOf(call, drive, folder), representationOf(call, drive));
}

export function listChannelMembers(call: GraphCall): GraphReply {
  const { team, channel } = teamChannelOf(call);
  return collectionReply(call, channelMembers(channel, team, call.tenant), {
    context: 'Collection(conversationMember)',
  });
}

export function addChannelMember(call: GraphCall): GraphReply {
  const { team, channel } = teamChannelOf(call);
  if (!channel.members) throw refused('Members of a standard channel are those of the team.');
  if (channel.migration?.mode === 'inProgress') throw forbidden('Members cannot be added in migration mode.');
  const body = objectOf(call.body);
  const userId = boundUser(call, body);
  channel.members.set(userId, textsOf(body['roles']) ?? []);
  const added = channelMembers(channel, team, call.tenant).find((member) => member['userId'] === userId);
  return entityReply(call, added ?? {}, { context: 'conversationMember/$entity' }, 201);
}

/** Messages and replies of all channels, channel by channel. */
export function getAllMessages(call: GraphCall): GraphReply {
  const team = teamOf(call);
  const all = [...team.channels.values()].flatMap(({ id, conversation }) =>
    conversation.all.map((message) =>
      messageEntity(message, { teamId: team.id, channelId: id, tenantId: call.tenant.id }),
    ),
  );
  return collectionReply(call, all, { context: 'Collection(chatMessage)', pageSize: 50 });
}

function tabsOf(channel: Channel) {
  const teamsApp = (entity: JsonObject) => appEntity(channel.tabs.find(({ id }) => id === entity['id'])?.appId ?? '');
  return { context: 'tabs', expand: { teamsapp: teamsApp } };
}

export function listTabs(call: GraphCall): GraphReply {
  const { channel } = teamChannelOf(call);
  return collectionReply(
    call,
    channel.tabs.map((tab) => tabEntity(tab, channel)),
    tabsOf(channel),
  );
}

export function getTab(call: GraphCall): GraphReply {
  const { channel } = teamChannelOf(call);
  return entityReply(call, tabEntity(tabOf(call, channel), channel), { ...tabsOf(channel), context: 'tabs/$entity' });
}

export function createTab(call: GraphCall): GraphReply {
  const { channel } = teamChannelOf(call);
  const body = objectOf(call.body);
  const appId = /teamsApps(?:\('|\/)([^')]+)/.exec(String(body['teamsApp@odata.bind'] ?? ''))?.[1];
  const displayName = textOf(body['displayName']);
  if (appId === undefined || !displayName) throw refused('A tab needs displayName and teamsApp@odata.bind.');
  const tab: Tab = { id: call.tenant.newId(), displayName, appId, configuration: configurationOf(body) };
  channel.tabs.push(tab);
  return entityReply(call, tabEntity(tab, channel), { ...tabsOf(channel), context: 'tabs/$entity' }, 201);
}

export function updateTab(call: GraphCall): GraphReply {
  const { channel } = teamChannelOf(call);
  const tab = tabOf(call, channel);
  const body = objectOf(call.body);
  tab.displayName = textOf(body['displayName']) ?? tab.displayName;
  if ('configuration' in body) tab.configuration = configurationOf(body);
  return getTab(call);
}

export function deleteTab(call: GraphCall): GraphReply {
  const { channel } = teamChannelOf(call);
  const tab = tabOf(call, channel);
  channel.tabs = channel.tabs.filter((other) => other !== tab);
  return { status: 204 };
}

function configurationOf(body: JsonObject): Tab['configuration'] {
  const given = objectOf(body['configuration']);
  const at = (name: string) => textOf(given[name]) ?? null;
  return {
    entityId: at('entityId'),
    contentUrl: at('contentUrl'),
    websiteUrl: at('websiteUrl'),
    removeUrl: at('removeUrl'),
  };
}

function tabOf(call: GraphCall, channel: Channel): Tab {
  const found = channel.tabs.find(({ id }) => id === call.params['tab']);
  if (!found) throw new GraphError(404, 'NotFound', 'The tab was not found.');
  return found;
}
