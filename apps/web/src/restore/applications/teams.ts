import { ROOT } from '@keepwatch/contract/restore/explorer';
import {
  listRestoreTeams,
  listTeamChannels,
  listTeamFiles,
  listTeamPosts,
  listTeamTabs,
  type RestoreTeam,
  type TeamChannel,
  type TeamFile,
  type TeamPost,
  type TeamTab,
} from '@keepwatch/contract/restore/teams';
import type { RestoreApplication, Source } from '../explorer/application.ts';
import { type Entry, type EntryType, entryIn, objectEntry, shownName } from '../explorer/entry.ts';
import { fixedPage, groupsOf, pageOf } from '../explorer/pages.ts';
import { chatPeople, chatsOf, isChatsId, isOfChats, messagesOf, NO_CHATS } from './chats.ts';
import { downloadsOf, groupOf, restoresOf, saveGroupOf } from './teams-changes.ts';

/** Teams: channels, each with posts, files and tabs; and people with their chats. */
export const teams: RestoreApplication = {
  sessionType: 'vet',
  title: 'Restore Teams',
  objects: { type: 'team', one: 'team', many: 'teams' },
  findLabel: 'Find teams, and people with chats',
  objectTypeOf: (id) => (isChatsId(id) ? 'chats' : 'team'),
  refusesRestore: (entry) => (isOfChats(entry) ? NO_CHATS : null),
  refusesDownload: ({ type }) => NOT_SAVED[type] ?? null,
  destination: {
    label: 'Another team',
    description:
      'Choose a team, or write its id. Leave empty to restore into this team. Files always go back to their own team.',
    targetOf: ({ objectId }) => objectId,
  },
  fromTitle: 'Author',
  dateTitle: 'Modified',
  has: ({ isTeams }) => isTeams,
  sourcesOf,
  restoresOf: (chosen) =>
    groupsOf(
      chosen.filter((entry) => !isOfChats(entry)),
      groupOf,
    ).flatMap(restoresOf),
  downloadsOf: (chosen) =>
    groupsOf(
      chosen.filter(({ type }) => NOT_SAVED[type] === undefined),
      saveGroupOf,
    ).flatMap(downloadsOf),
  typesOf: ({ type }) => typesOf(type),
  atOnceBytesMax: null,
  options: ['folder', 'markRestored', 'documentVersion', 'restorePermissions'],
};

const NOT_SAVED: Partial<Record<EntryType, string>> = {
  team: 'A team is not one file. Select its channels, and its files.',
  tab: 'A tab has nothing to save but its address, which its row shows.',
};

function typesOf(type: string): { item: EntryType; folder: EntryType } {
  if (type === 'file') return { item: 'file', folder: 'folder' };
  if (type === 'chat-message') return { item: 'chat-message', folder: 'chat' };
  return type === 'tab' ? { item: 'tab', folder: 'tabs' } : { item: 'post', folder: 'posts' };
}

function sourcesOf(node: Entry | null): readonly Source[] {
  switch (node?.type) {
    case undefined:
      return [allTeams, chatPeople];
    case 'chats':
      return [chatsOf(node)];
    case 'chat':
      return [messagesOf(node)];
    case 'team':
      return [channelsOf(node)];
    case 'channel':
      return [{ key: 'fixed', read: async () => fixedPage(fixedNodes(node)) }];
    case 'posts':
      return [postsOf(node)];
    case 'files':
    case 'folder':
      return [filesIn(node)];
    case 'tabs':
      return [tabsOf(node)];
    default:
      return [];
  }
}

const allTeams: Source = {
  key: 'containers',
  read: async (api, { sessionId, range, search }, signal) =>
    pageOf(
      await api.request(
        listRestoreTeams,
        { params: { restoreSessionId: sessionId }, query: { ...range, ...(search === '' ? {} : { search }) } },
        signal,
      ),
      teamEntry,
    ),
};

function teamEntry({ id, displayName, groupEmail, isDeleted }: RestoreTeam): Entry {
  return { ...objectEntry('team', id, displayName), detail: groupEmail, isDeleted };
}

function channelsOf(team: Entry): Source {
  return {
    key: 'containers',
    read: async (api, { sessionId, range }, signal) =>
      pageOf(
        await api.request(
          listTeamChannels,
          { params: { restoreSessionId: sessionId, teamId: team.objectId }, query: range },
          signal,
        ),
        (channel) => channelEntry(team, channel),
      ),
  };
}

function channelEntry(team: Entry, { id, displayName, type, isDeleted }: TeamChannel): Entry {
  const detail = type === null || type === 'standard' ? null : type;
  return { ...entryIn(team, 'channel', id, displayName), within: id, detail, isDeleted };
}

function fixedNodes(channel: Entry): Entry[] {
  const id = channel.itemId ?? '';
  const node = (type: EntryType, name: string) => entryIn({ ...channel, within: id }, type, id, name);
  return [node('posts', 'Posts'), node('files', 'Files'), node('tabs', 'Tabs')];
}

function postsOf(node: Entry): Source {
  return {
    key: 'items',
    read: async (api, { sessionId, range }, signal) =>
      pageOf(
        await api.request(
          listTeamPosts,
          {
            params: { restoreSessionId: sessionId, teamId: node.objectId },
            query: { ...range, channelId: node.itemId ?? '' },
          },
          signal,
        ),
        (post) => postEntry(node, post),
      ),
  };
}

function postEntry(channel: Entry, post: TeamPost): Entry {
  const { id, subject, author, createdTime, parentId, isDeleted } = post;
  return {
    ...entryIn(channel, 'post', id, shownName('post', subject)),
    from: author,
    date: createdTime,
    isDeleted,
    detail: parentId === null ? null : 'reply',
  };
}

function tabsOf(node: Entry): Source {
  return {
    key: 'items',
    read: async (api, { sessionId, range }, signal) =>
      pageOf(
        await api.request(
          listTeamTabs,
          {
            params: { restoreSessionId: sessionId, teamId: node.objectId, channelId: node.itemId ?? '' },
            query: range,
          },
          signal,
        ),
        (tab) => tabEntry(node, tab),
      ),
  };
}

function tabEntry(channel: Entry, { id, displayName, contentUrl, isDeleted }: TeamTab): Entry {
  return { ...entryIn(channel, 'tab', id, displayName), detail: contentUrl, isDeleted };
}

function filesIn(node: Entry): Source {
  const place =
    node.type === 'files' ? { parentId: ROOT, channelId: node.itemId ?? '' } : { parentId: node.itemId ?? ROOT };
  return {
    key: 'mixed',
    read: async (api, { sessionId, range, sort }, signal) =>
      pageOf(
        await api.request(
          listTeamFiles,
          { params: { restoreSessionId: sessionId, teamId: node.objectId }, query: { ...range, ...place, sort } },
          signal,
        ),
        (file) => fileEntry(node, file),
      ),
  };
}

function fileEntry(parent: Entry, { id, name, fileType, sizeBytes, modified, modifiedBy, isDeleted }: TeamFile): Entry {
  const isFolder = fileType === 'Folder';
  return {
    ...entryIn(parent, isFolder ? 'folder' : 'file', id, name),
    from: modifiedBy,
    date: modified,
    sizeBytes: isFolder ? null : sizeBytes,
    isDeleted,
  };
}
