import {
  downloadTeamFiles,
  downloadTeamPosts,
  restoreTeamChannel,
  restoreTeamFiles,
  restoreTeamTabs,
  restoreWholeTeam,
} from '@keepwatch/contract/restore/teams';
import type { Api } from '../../kit/api.ts';
import type { DownloadRequest, RestoreRequest, RestoreWish } from '../explorer/application.ts';
import type { Entry } from '../explorer/entry.ts';
import { chosenIn, namesOf } from '../explorer/pages.ts';
import { downloadsOfChats, isOfChats } from './chats.ts';
import { SEPARATOR } from './library-ids.ts';

/** Whether it is saved and restored as a file. */
export const isFile = ({ type }: Entry) => type === 'file' || type === 'folder';

/** A post begins with its channel: `{channel}/messages/{post}` (`RestorePost.id`). */
const channelOf = ({ within, itemId }: Entry) => within ?? (itemId ?? '').split('/messages/')[0] ?? '';

/** The calls are for one team or channel each, and for several posts or tabs of a channel, and files of one library. */
export function groupOf(entry: Entry): string {
  const { type, objectId, itemId } = entry;
  if (isFile(entry)) return ['file', objectId, (itemId ?? '').split(SEPARATOR)[0]].join(' ');
  if (type === 'post' || type === 'tab') return [type, objectId, channelOf(entry)].join(' ');
  return [type, objectId, itemId ?? ''].join(' ');
}

/** The call that restores some of what was chosen together. */
export function restoresOf(group: readonly Entry[]): RestoreRequest[] {
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

/** Files of one library are one ZIP, and what was said in one team or in the chats of one person another. */
export function saveGroupOf(entry: Entry): string {
  if (isFile(entry)) return groupOf(entry);
  return `said ${entry.objectId}`;
}

export function downloadsOf(group: readonly Entry[]): DownloadRequest[] {
  const [first] = group;
  if (first === undefined) return [];
  if (isOfChats(first)) return downloadsOfChats(group);
  return [isFile(first) ? filesOf(group, first) : postsOf(group, first)];
}

/** The server does not say the size of a team's files; that of files alone is known from their list. */
function filesOf(group: readonly Entry[], first: Entry): DownloadRequest {
  const files = chosenIn(group);
  const sizeBytes = group.reduce((sum, entry) => sum + (entry.sizeBytes ?? 0), 0);
  const isKnown = group.every(({ type }) => type === 'file');
  return {
    name: namesOf(group),
    formats: ['zip'],
    start: (api, restoreSessionId, { fileName, downloadInBackground }) =>
      api.request(downloadTeamFiles, {
        params: { restoreSessionId, teamId: first.objectId },
        body: { fileName, downloadInBackground, files },
      }),
    weigh: isKnown ? async () => ({ items: group.length, sizeBytes }) : null,
  };
}

/** Posts as pages, each with its replies. */
function postsOf(group: readonly Entry[], first: Entry): DownloadRequest {
  const [channels, posts] = [
    chosenIn(group.filter(({ type }) => type === 'channel')),
    chosenIn(group.filter(({ type }) => type === 'post')),
  ];
  const chosen = { ...(channels.length === 0 ? {} : { channels }), ...(posts.length === 0 ? {} : { posts }) };
  return {
    name: namesOf(group),
    formats: ['zip'],
    start: (api, restoreSessionId, { fileName, downloadInBackground }) =>
      api.request(downloadTeamPosts, {
        params: { restoreSessionId, teamId: first.objectId },
        body: { fileName, downloadInBackground, ...chosen },
      }),
    weigh: null,
  };
}
