import { ROOT } from '@keepwatch/contract/restore/explorer';
import {
  downloadTeamFiles,
  listRestoreTeams,
  listTeamChannels,
  listTeamFiles,
  listTeamPosts,
  listTeamTabs,
  type RestoreTeam,
  restoreTeamChannel,
  restoreTeamFiles,
  restoreTeamTabs,
  restoreWholeTeam,
  type TeamChannel,
  type TeamFile,
  type TeamPost,
  type TeamTab,
} from '@keepwatch/contract/restore/teams';
import type { Api } from '../../kit/api.ts';
import type { DownloadRequest, RestoreApplication, RestoreRequest, RestoreWish, Source } from '../explorer/application.ts';
import { type Entry, type EntryType, entryIn, objectEntry } from '../explorer/entry.ts';
import { chosenIn, fixedPage, groupsOf, namesOf, pageOf } from '../explorer/pages.ts';

/** Teams: channels, each with posts, files and tabs. */
export const teams: RestoreApplication = {
  sessionType: 'vet',
  title: 'Restore Teams',
  objects: { type: 'team', one: 'team', many: 'teams' },
  destination: {
    label: 'Another team',
    description: 'Id of the team. Leave empty to restore into this team. Files always go back to their own team.',
  },
  fromTitle: 'Author',
  dateTitle: 'Modified',
  has: ({ isTeams }) => isTeams,
  sourcesOf,
  restoresOf: (chosen) => groupsOf(chosen, groupOf).flatMap(restoresOf),
  downloadsOf: (chosen) => groupsOf(chosen.filter(isFile), groupOf).flatMap(downloadsOf),
  typesOf: ({ type }) => typesOf(type),
  atOnceBytesMax: null,
  options: ['folder', 'markRestored', 'documentVersion', 'restorePermissions'],
};

function typesOf(type: string): { item: EntryType; folder: EntryType } {
  if (type === 'file') return { item: 'file', folder: 'folder' };
  return type === 'tab' ? { item: 'tab', folder: 'tabs' } : { item: 'post', folder: 'posts' };
}

function sourcesOf(node: Entry | null): readonly Source[] {
  switch (node?.type) {
    case undefined:
      return [allTeams];
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
    ...entryIn(channel, 'post', id, subject === '' ? '(no subject)' : subject),
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

const isFile = ({ type }: Entry) => type === 'file' || type === 'folder';

/** A post begins with its channel: `{channel}/messages/{post}` (`RestorePost.id`). */
const channelOf = ({ within, itemId }: Entry) => within ?? (itemId ?? '').split('/messages/')[0] ?? '';

/** The calls are for one team or channel each, and for several posts or tabs of a channel, and files of one library. */
function groupOf(entry: Entry): string {
  const { type, objectId, itemId } = entry;
  if (isFile(entry)) return ['file', objectId, (itemId ?? '').split(':')[0]].join(' ');
  if (type === 'post' || type === 'tab') return [type, objectId, channelOf(entry)].join(' ');
  return [type, objectId, itemId ?? ''].join(' ');
}

function restoresOf(group: readonly Entry[]): RestoreRequest[] {
  const [first] = group;
  if (first === undefined) return [];
  return [
    {
      name: namesOf(group),
      start: async (api, restoreSessionId, wish) => {
        const { data } = await start(api, restoreSessionId, group, first, wish);
        return data;
      },
    },
  ];
}

function start(api: Api, restoreSessionId: string, group: readonly Entry[], first: Entry, wish: RestoreWish) {
  const { to, options, planOnly, pathName } = wish;
  const body = { options, planOnly, pathName, teamName: first.objectName };
  const elsewhere = to === null ? body : { ...body, team: to };
  const params = { restoreSessionId, teamId: first.objectId };
  const channel = { ...params, channelId: channelOf(first) };
  const chosen = chosenIn(group);
  switch (first.type) {
    case 'team':
      return api.request(restoreWholeTeam, { params, body: elsewhere });
    case 'post':
      return api.request(restoreTeamChannel, { params: channel, body: { ...elsewhere, posts: chosen } });
    case 'tab':
      return api.request(restoreTeamTabs, { params: channel, body: { ...elsewhere, tabs: chosen } });
    case 'channel':
      return api.request(restoreTeamChannel, { params: channel, body: elsewhere });
    default:
      return api.request(restoreTeamFiles, { params, body: { ...body, files: chosen } });
  }
}

/** The server does not say the size of a team's files; that of files alone is known from their list. */
function downloadsOf(group: readonly Entry[]): DownloadRequest[] {
  const [first] = group;
  if (first === undefined) return [];
  const files = chosenIn(group);
  const sizeBytes = group.reduce((sum, entry) => sum + (entry.sizeBytes ?? 0), 0);
  const isKnown = group.every(({ type }) => type === 'file');
  return [
    {
      name: namesOf(group),
      formats: ['zip'],
      start: (api, restoreSessionId, { fileName, downloadInBackground }) =>
        api.request(downloadTeamFiles, {
          params: { restoreSessionId, teamId: first.objectId },
          body: { fileName, downloadInBackground, files },
        }),
      weigh: isKnown ? async () => ({ items: group.length, sizeBytes }) : null,
    },
  ];
}
