import { CHATS_SUFFIX, type Chat, type ChatMessage, type ChatPerson } from '@keepwatch/contract/restore/chats';
import type { ItemVersion } from '@keepwatch/engine/engine';
import type { SessionObject } from '../sessions/repository-objects.ts';
import { instantText, isDeletedIn } from './browse-object.ts';

export function personRow({ id, name, address, backupTime, isDeleted }: SessionObject): ChatPerson {
  return { id: `${id}${CHATS_SUFFIX}`, displayName: name, email: address, backupTime, isDeleted };
}

export function chatRow(personId: string, revision: number, item: ItemVersion): Chat {
  const { id, name, details } = item;
  return {
    id,
    displayName: name,
    personId,
    type: details.role ?? null,
    members: details.to ?? [],
    createdTime: instantText(details.createdAt),
    isDeleted: isDeletedIn(revision, item),
  };
}

export function chatMessageRow(personId: string, chatId: string, revision: number, item: ItemVersion): ChatMessage {
  const { id, name, details, modifiedAt } = item;
  return {
    id,
    personId,
    chatId,
    author: details.from ?? null,
    subject: name,
    createdTime: instantText(details.createdAt ?? details.sentAt),
    lastModifiedTime: instantText(modifiedAt),
    hasAttachments: (details.attachmentNames ?? []).length > 0,
    isDeleted: isDeletedIn(revision, item),
  };
}
