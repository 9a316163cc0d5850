import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, text } from '../wire/fields.ts';
import {
  begun,
  below,
  CHOSEN_BYTES_MAX,
  chosenOnes,
  deletable,
  downloadFields,
  listed,
  nodeId,
  objectsOf,
  pageLinks,
  restoreFields,
  resultsOf,
  sorted,
  zipDownload,
} from './explorer.ts';

/** Teams of a restore session: channels, posts, files and tabs, bringing them back and saving them. */

const access = 'o365.restoreTeams' as const;
const at = '/o365/restore/restoresessions/{restoreSessionId}/teams' as const;
const team = z.strictObject({ restoreSessionId: id, teamId: nodeId });
const channel = z.strictObject({ restoreSessionId: id, teamId: nodeId, channelId: nodeId });

export const restoreTeam = entity(
  'RestoreTeam',
  z.object({
    id: z.string(),
    displayName: z.string(),
    groupEmail: z.nullable(z.string()),
    backupTime: instant,
    ...deletable,
  }),
);
export type RestoreTeam = z.infer<typeof restoreTeam>;

export const listRestoreTeams = declareCall({
  ...objectsOf(restoreTeam),
  path: at,
  access,
  failure: 'Error getting the teams. Try again later.',
  summary: 'Teams of the session, by name.',
});

export const teamChannel = entity(
  'RestoreChannel',
  z.object({
    id: z.string(),
    displayName: z.string(),
    teamId: z.string(),
    /** `standard`, `private` or `shared`. */
    type: z.nullable(z.string()),
    ...deletable,
  }),
);
export type TeamChannel = z.infer<typeof teamChannel>;

export const listTeamChannels = declareCall({
  method: 'GET',
  path: `${at}/{teamId}/channels`,
  access,
  audit: 'restore.browse',
  params: team,
  query: z.strictObject(listed),
  ...resultsOf(teamChannel),
  failure: 'Error getting the teams. Try again later.',
  summary: 'Channels of a team.',
});

export const teamPost = entity(
  'RestorePost',
  z.object({
    id: z.string(),
    postId: z.string(),
    teamId: z.string(),
    channelId: z.string(),
    /** Of a reply: the post that it answers. */
    parentId: z.nullable(z.string()),
    author: z.nullable(z.string()),
    subject: z.string(),
    createdTime: z.nullable(instant),
    lastModifiedTime: z.nullable(instant),
    isImportant: z.boolean(),
    hasAttachments: z.boolean(),
    ...deletable,
  }),
);
export type TeamPost = z.infer<typeof teamPost>;

export const listTeamPosts = declareCall({
  method: 'GET',
  path: `${at}/{teamId}/posts`,
  access,
  audit: 'restore.browse',
  params: team,
  query: z.strictObject({ ...listed, channelId: nodeId }),
  ...resultsOf(teamPost),
  failure: 'Error getting the teams. Try again later.',
  summary: 'Posts of a channel and their replies, newest first.',
});

export const teamFile = entity(
  'RestoreTeamFile',
  z.object({
    id: z.string(),
    name: z.string(),
    teamId: z.string(),
    /** The channel that was asked for. */
    channelId: z.nullable(z.string()),
    fileType: z.enum(['File', 'Folder']),
    sizeBytes: z.int(),
    version: z.nullable(z.string()),
    modified: z.nullable(instant),
    modifiedBy: z.nullable(z.string()),
    /** Of a folder: `children` lists what is in it. */
    _links: z.object({ children: z.optional(z.object({ href: z.string() })) }),
    ...deletable,
  }),
);
export type TeamFile = z.infer<typeof teamFile>;

export const listTeamFiles = declareCall({
  method: 'GET',
  path: `${at}/{teamId}/files`,
  access,
  audit: 'restore.browse',
  params: team,
  query: z.strictObject({ ...below, ...sorted, channelId: z.optional(nodeId) }),
  reply: z.object({ success: z.literal(true), data: z.object({ results: z.array(teamFile) }), _links: pageLinks }),
  failure: 'Error getting the teams. Try again later.',
  summary: 'Files and folders of a team, of one of its channels (`channelId`), or of a folder (`parentId`).',
});

export const teamTab = entity(
  'RestoreTab',
  z.object({
    id: z.string(),
    displayName: z.string(),
    teamId: z.string(),
    channelId: z.string(),
    type: z.nullable(z.string()),
    contentUrl: z.nullable(z.string()),
    ...deletable,
  }),
);
export type TeamTab = z.infer<typeof teamTab>;

export const listTeamTabs = declareCall({
  method: 'GET',
  path: `${at}/{teamId}/channels/{channelId}/tabs`,
  access,
  audit: 'restore.browse',
  params: channel,
  query: z.strictObject(listed),
  ...resultsOf(teamTab),
  failure: 'Error getting the teams. Try again later.',
  summary: 'Tabs of a channel.',
});

/** `team`: the id of another team that it goes into; without: where it was. */
const restored = { ...restoreFields, teamName: z.optional(text(400)), team: z.optional(text(400)) };

export const restoreWholeTeam = declareCall({
  method: 'POST',
  path: `${at}/{teamId}/restore`,
  access,
  audit: 'restore.start',
  params: team,
  body: z.strictObject(restored),
  ...begun,
  failure: 'Error restoring the team. Try again later.',
  summary: 'Restores a team: settings, members, channels, posts, tabs and files.',
});

export const restoreTeamChannel = declareCall({
  method: 'POST',
  path: `${at}/{teamId}/channels/{channelId}/restore`,
  access,
  audit: 'restore.start',
  params: channel,
  body: z.strictObject({ ...restored, posts: z.optional(chosenOnes) }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  ...begun,
  failure: 'Error restoring the channel. Try again later.',
  summary: 'Restores a channel with its posts and tabs, or some of its posts.',
});

const files = { files: chosenOnes, channelId: z.optional(nodeId) };

export const restoreTeamFiles = declareCall({
  method: 'POST',
  path: `${at}/{teamId}/files/restore`,
  access,
  audit: 'restore.start',
  params: team,
  body: z.strictObject({ ...restoreFields, teamName: z.optional(text(400)), ...files }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  ...begun,
  failure: 'Error restoring the files. Try again later.',
  summary: 'Restores files and folders of a team to where they were, or into a folder of their own (`options.folder`).',
});

export const restoreTeamTabs = declareCall({
  method: 'POST',
  path: `${at}/{teamId}/channels/{channelId}/tabs/restore`,
  access,
  audit: 'restore.start',
  params: channel,
  body: z.strictObject({ ...restored, tabs: chosenOnes }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  ...begun,
  failure: 'Error restoring the tabs. Try again later.',
  summary: 'Restores tabs of a channel.',
});

/** Channels with all their posts, or some posts, each with its replies. */
const conversations = { channels: z.optional(chosenOnes), posts: z.optional(chosenOnes) };

export const downloadTeamPosts = declareCall({
  ...zipDownload,
  path: `${at}/{teamId}/posts/download`,
  access,
  params: team,
  body: z.strictObject({ ...downloadFields, ...conversations }),
  failure: 'Error downloading the posts. Try again later.',
  summary:
    'Posts of a team as a ZIP of pages that any browser shows, with replies, pictures and reactions; without channels and posts all of them.',
});

export const downloadTeamFiles = declareCall({
  ...zipDownload,
  path: `${at}/{teamId}/files/download`,
  access,
  params: team,
  body: z.strictObject({ ...downloadFields, ...files }),
  failure: 'Error downloading files. Try again later.',
  summary: 'Files and folders of a team as ZIP.',
});
