import type { RestoreMailbox } from '@keepwatch/contract/restore/mailboxes';
import { FOLDER_TYPES, type MailboxFolder, type MailboxItem } from '@keepwatch/contract/restore/mailboxes';
import type { ItemVersion } from '@keepwatch/engine/engine';
import type { ObjectKind, SessionObject } from '../sessions/repository-objects.ts';
import { instantText, isDeletedIn } from './browse-object.ts';

/** An archive has the id of the mailbox that it belongs to; on the wire it has one of its own. */
const ARCHIVE_SUFFIX = '-archive';

/** Which object the id of a mailbox on the wire means. */
export function mailboxOf(id: string): { kind: ObjectKind; id: string } {
  return id.endsWith(ARCHIVE_SUFFIX)
    ? { kind: 'archive', id: id.slice(0, -ARCHIVE_SUFFIX.length) }
    : { kind: 'mailbox', id };
}

export function mailboxRow({ kind, id, name, owner, address, backupTime, isDeleted }: SessionObject): RestoreMailbox {
  const isArchive = kind === 'archive';
  return {
    id: isArchive ? `${id}${ARCHIVE_SUFFIX}` : id,
    name,
    email: address,
    isArchive,
    isGroup: owner?.startsWith('group/') === true,
    backupTime,
    isDeleted,
  };
}

export function folderRow(mailboxId: string, revision: number, item: ItemVersion): MailboxFolder {
  const { id, name, parentId, kind, details } = item;
  return {
    id,
    name,
    mailboxId,
    parentId,
    type: FOLDER_TYPES.find((type) => type === kind) ?? 'mail-folder',
    category: details.role ?? null,
    isDeleted: isDeletedIn(revision, item),
  };
}

export function mailRow(mailboxId: string, revision: number, item: ItemVersion): MailboxItem {
  const { id, name, parentId, kind, sizeBytes, modifiedAt, details } = item;
  return {
    id,
    mailboxId,
    parentId,
    type: kind,
    itemClass: details.itemClass ?? null,
    name,
    subject: name,
    from: details.from ?? null,
    to: details.to ?? [],
    cc: details.cc ?? [],
    bcc: details.bcc ?? [],
    sent: instantText(details.sentAt),
    received: instantText(details.receivedAt),
    startTime: instantText(details.startsAt),
    endTime: instantText(details.endsAt),
    modified: instantText(modifiedAt),
    sizeBytes,
    hasAttachments: details.hasAttachments ?? false,
    isRead: details.isRead ?? null,
    importance: details.importance ?? null,
    isDeleted: isDeletedIn(revision, item),
  };
}
