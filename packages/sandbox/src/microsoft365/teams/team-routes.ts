import * as messages from '../chats/message-handlers.ts';
import type { GraphHandler, GraphMethod, GraphRoute } from '../wire/graph-call.ts';
import * as channels from './channel-handlers.ts';
import * as apps from './installed-app-handlers.ts';
import * as members from './member-handlers.ts';
import { completeMigration, postMessage, startMigration } from './message-import.ts';
import { channelConversation } from './team-call.ts';
import * as teams from './team-handlers.ts';

const basic = [
  'Team.ReadBasic.All',
  'TeamSettings.Read.All',
  'TeamSettings.ReadWrite.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
];
const settings = ['TeamSettings.ReadWrite.All', 'Group.ReadWrite.All'];
const creators = ['Team.Create', 'Group.ReadWrite.All', 'Teamwork.Migrate.All'];
const membersRead = ['TeamMember.Read.All', 'TeamMember.ReadWrite.All', 'Group.Read.All', 'Group.ReadWrite.All'];
const membersWrite = ['TeamMember.ReadWrite.All', 'TeamMember.ReadWriteNonOwnerRole.All', 'Group.ReadWrite.All'];
const channelsRead = ['Channel.ReadBasic.All', 'ChannelSettings.Read.All', 'Group.Read.All', 'Group.ReadWrite.All'];
const channelsWrite = [
  'Channel.Create',
  'Channel.Delete.All',
  'ChannelSettings.ReadWrite.All',
  'Group.ReadWrite.All',
  'Teamwork.Migrate.All',
];
const channelMembers = ['ChannelMember.Read.All', 'ChannelMember.ReadWrite.All'];
const channelMembersWrite = ['ChannelMember.ReadWrite.All', 'Group.ReadWrite.All'];
const files = ['Files.Read.All', 'Files.ReadWrite.All', 'Sites.Read.All', 'Sites.ReadWrite.All', 'Group.Read.All'];
const messagesRead = ['ChannelMessage.Read.All', 'Group.Read.All', 'Group.ReadWrite.All'];
const exporting = ['ChannelMessage.Read.All'];
const importing = ['Teamwork.Migrate.All'];
const posting = ['ChannelMessage.Send', 'Teamwork.Migrate.All', 'Group.ReadWrite.All'];
const tabsRead = ['TeamsTab.Read.All', 'TeamsTab.ReadWrite.All', 'Group.Read.All', 'Group.ReadWrite.All'];
const tabsWrite = ['TeamsTab.Create', 'TeamsTab.ReadWrite.All', 'Group.ReadWrite.All'];
const appsRead = [
  'TeamsAppInstallation.ReadForTeam.All',
  'TeamsAppInstallation.ReadWriteForTeam.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
];
const appsWrite = ['TeamsAppInstallation.ReadWriteForTeam.All', 'Group.ReadWrite.All'];

const inChannel =
  (handler: (at: messages.ConversationCall) => ReturnType<typeof messages.listMessages>): GraphHandler =>
  (call) =>
    handler(channelConversation(call));

type Operation = readonly [GraphMethod, string, GraphHandler, readonly string[]];

const team = '/teams/{team}';
const channel = `${team}/channels/{channel}`;
const message = `${channel}/messages/{message}`;
const reply = `${message}/replies/{reply}`;

const hosted = (path: string): Operation[] => [
  ['GET', `${path}/hostedContents`, inChannel(messages.listHostedContents), messagesRead],
  ['GET', `${path}/hostedContents/{content}`, inChannel(messages.getHostedContent), messagesRead],
  ['GET', `${path}/hostedContents/{content}/$value`, inChannel(messages.getHostedValue), messagesRead],
];

const operations: readonly Operation[] = [
  ['GET', '/teams', teams.listTeams, basic],
  ['POST', '/teams', teams.createTeam, creators],
  ['GET', '/users/{user}/joinedTeams', teams.listJoinedTeams, basic],
  ['GET', '/groups/{group}/team', teams.getTeam, basic],
  ['PUT', '/groups/{group}/team', teams.createGroupTeam, creators],
  ['GET', team, teams.getTeam, basic],
  ['PATCH', team, teams.updateTeam, settings],
  ['POST', `${team}/archive`, teams.archiveTeam, settings],
  ['POST', `${team}/unarchive`, teams.unarchiveTeam, settings],
  ['POST', `${team}/completeMigration`, teams.completeTeamMigration, importing],
  ['GET', `${team}/operations/{operation}`, teams.getOperation, [...basic, ...creators]],
  ['GET', `${team}/members`, members.listTeamMembers, membersRead],
  ['POST', `${team}/members`, members.addTeamMember, membersWrite],
  ['DELETE', `${team}/members/{member}`, members.removeTeamMember, membersWrite],
  ['GET', `${team}/installedApps`, apps.listInstalledApps, appsRead],
  ['POST', `${team}/installedApps`, apps.installApp, appsWrite],
  ['DELETE', `${team}/installedApps/{installation}`, apps.uninstallApp, appsWrite],
  ['GET', `${team}/channels`, channels.listChannels, channelsRead],
  ['POST', `${team}/channels`, channels.createChannel, channelsWrite],
  ['GET', `${team}/allChannels`, channels.listChannels, channelsRead],
  ['GET', `${team}/channels/getAllMessages()`, channels.getAllMessages, exporting],
  ['GET', channel, channels.getChannel, channelsRead],
  ['PATCH', channel, channels.updateChannel, channelsWrite],
  ['DELETE', channel, channels.deleteChannel, channelsWrite],
  ['GET', `${channel}/filesFolder`, channels.getFilesFolder, files],
  ['GET', `${channel}/members`, channels.listChannelMembers, channelMembers],
  ['POST', `${channel}/members`, channels.addChannelMember, channelMembersWrite],
  ['POST', `${channel}/startMigration`, startMigration, importing],
  ['POST', `${channel}/completeMigration`, completeMigration, importing],
  ['GET', `${channel}/messages`, inChannel(messages.listMessages), messagesRead],
  ['POST', `${channel}/messages`, postMessage, posting],
  ['GET', `${channel}/messages/delta()`, inChannel(messages.messagesDelta), messagesRead],
  ['GET', message, inChannel(messages.getMessage), messagesRead],
  ['GET', `${message}/replies`, inChannel(messages.listReplies), messagesRead],
  ['POST', `${message}/replies`, postMessage, posting],
  ['GET', `${message}/replies/delta()`, inChannel(messages.repliesDelta), messagesRead],
  ['GET', reply, inChannel(messages.getMessage), messagesRead],
  ...hosted(message),
  ...hosted(reply),
  ['GET', `${channel}/tabs`, channels.listTabs, tabsRead],
  ['POST', `${channel}/tabs`, channels.createTab, tabsWrite],
  ['GET', `${channel}/tabs/{tab}`, channels.getTab, tabsRead],
  ['PATCH', `${channel}/tabs/{tab}`, channels.updateTab, tabsWrite],
  ['DELETE', `${channel}/tabs/{tab}`, channels.deleteTab, tabsWrite],
];

/** Teams with their channels and messages. */
export const teamRoutes: readonly GraphRoute[] = operations.map(([method, path, handle, permissions]) => ({
  method,
  path,
  handle,
  permissions,
}));
