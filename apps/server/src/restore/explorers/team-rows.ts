import type { RestoreTeam, TeamChannel, TeamFile, TeamPost, TeamTab } from '@keepwatch/contract/restore/teams';
import { listTeamFiles } from '@keepwatch/contract/restore/teams';
import type { ItemVersion } from '@keepwatch/engine/engine';
import type { SessionObject } from '../sessions/repository-objects.ts';
import type { FoundObject } from '../sessions/session-objects.ts';
import { instantText, isDeletedIn } from './browse-object.ts';
import { inLibrary } from './library-ids.ts';
import { linksOf } from './page-links.ts';

export function teamRow({ id, name, address, backupTime, isDeleted }: SessionObject): RestoreTeam {
  return { id, displayName: name, groupEmail: address, backupTime, isDeleted };
}

export function channelRow(teamId: string, revision: number, item: ItemVersion): TeamChannel {
  const { id, name, details } = item;
  return { id, displayName: name, teamId, type: details.role ?? null, isDeleted: isDeletedIn(revision, item) };
}

/** Post and, of a reply, the number of the post that it answers: `{channel}/messages/{post}/replies/{reply}`. */
const MESSAGE = /^(.+?)\/messages\/([^/]+)(?:\/replies\/([^/]+))?$/;

export function postRow(teamId: string, channelId: string, revision: number, item: ItemVersion): TeamPost {
  const { id, name, details, modifiedAt } = item;
  const [, , post = id, reply] = MESSAGE.exec(id) ?? [];
  return {
    id,
    postId: reply ?? post,
    teamId,
    channelId,
    parentId: reply === undefined ? null : `${channelId}/messages/${post}`,
    author: details.from ?? null,
    subject: name,
    createdTime: instantText(details.createdAt ?? details.sentAt),
    lastModifiedTime: instantText(modifiedAt),
    isImportant: details.importance === 'high' || details.importance === 'urgent',
    hasAttachments: (details.attachmentNames ?? []).length > 0,
    isDeleted: isDeletedIn(revision, item),
  };
}

export function tabRow(teamId: string, channelId: string, revision: number, item: ItemVersion): TeamTab {
  const { id, name, details } = item;
  const isDeleted = isDeletedIn(revision, item);
  return {
    id,
    displayName: name,
    teamId,
    channelId,
    type: details.role ?? null,
    contentUrl: details.webUrl ?? null,
    isDeleted,
  };
}

export function teamFileRow(
  params: { restoreSessionId: string; teamId: string },
  channelId: string | undefined,
  { object, revision }: FoundObject,
  item: ItemVersion,
): TeamFile {
  const { name, kind, sizeBytes, modifiedAt, details } = item;
  const id = inLibrary(object.id, item.id);
  const { self } = linksOf(listTeamFiles, params, { parentId: id, limit: 10, offset: 0 }, { isMore: false });
  return {
    id,
    name,
    teamId: params.teamId,
    channelId: channelId ?? null,
    fileType: kind === 'folder' ? 'Folder' : 'File',
    sizeBytes: kind === 'folder' ? 0 : sizeBytes,
    version: details.version ?? null,
    modified: instantText(modifiedAt),
    modifiedBy: details.from ?? null,
    _links: kind === 'folder' ? { children: self } : {},
    isDeleted: isDeletedIn(revision, item),
  };
}
