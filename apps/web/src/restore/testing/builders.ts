import type { BackgroundDownload } from '@keepwatch/contract/restore/downloads';
import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import type { FoundItem } from '@keepwatch/contract/restore/items';
import type { MailboxFolder, MailboxItem, RestoreMailbox } from '@keepwatch/contract/restore/mailboxes';
import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import type { RestorePoint, RestoreSession } from '@keepwatch/contract/restore/sessions';
import { buildId, buildOrganizationName } from '../../testing/builders.ts';

/** Small builders of what the restore portal shows: sensible values, of which a test gives only what it is about. */

export const contoso = buildOrganizationName();

export function buildPoint(number: number, fields: Partial<RestorePoint> = {}): RestorePoint {
  return {
    id: `point-${number}`,
    jobId: buildId(30),
    jobName: 'Nightly',
    repositoryId: buildId(20),
    organizationId: contoso.id,
    backupTime: `2026-03-${String(number).padStart(2, '0')}T12:00:00.000Z`,
    result: 'Success',
    isPartial: false,
    isExchange: true,
    isOneDrive: true,
    isSharePoint: true,
    isTeams: true,
    incompleteObjects: 0,
    itemsRead: 10,
    itemsLost: 0,
    ...fields,
  };
}

export function buildRestoreSession(number: number, fields: Partial<RestoreSession> = {}): RestoreSession {
  return {
    id: buildId(number),
    companyId: contoso.companyId,
    organizationId: contoso.id,
    jobId: null,
    sessionType: 'vex',
    datetime: '2026-03-14T12:00:00.000Z',
    backupTime: '2026-03-14T12:00:00.000Z',
    isPartial: false,
    showDeleted: false,
    state: 'Working',
    token: null,
    expiresAt: '2026-03-15T20:00:00.000Z',
    ...fields,
  };
}

export function buildMailbox(number: number, fields: Partial<RestoreMailbox> = {}): RestoreMailbox {
  return {
    id: `mailbox-${number}`,
    name: `Person ${number}`,
    email: `person${number}@contoso.test`,
    isArchive: false,
    isGroup: false,
    backupTime: '2026-03-14T12:00:00.000Z',
    isDeleted: false,
    ...fields,
  };
}

export function buildFolder(id: string, fields: Partial<MailboxFolder> = {}): MailboxFolder {
  return {
    id,
    name: id,
    mailboxId: 'mailbox-1',
    parentId: null,
    type: 'mail-folder',
    category: null,
    isDeleted: false,
    ...fields,
  };
}

export function buildMessage(number: number, fields: Partial<MailboxItem> = {}): MailboxItem {
  return {
    id: `message-${number}`,
    mailboxId: 'mailbox-1',
    parentId: 'Inbox',
    type: 'message',
    itemClass: null,
    name: `Message ${number}`,
    subject: `Message ${number}`,
    from: 'Bob Marsh',
    to: [],
    cc: [],
    bcc: [],
    sent: null,
    received: '2026-03-10T12:00:00.000Z',
    startTime: null,
    endTime: null,
    modified: null,
    sizeBytes: 1_024,
    hasAttachments: false,
    isRead: true,
    importance: null,
    isDeleted: false,
    ...fields,
  };
}

export function buildFound(fields: Partial<FoundItem> = {}): FoundItem {
  return {
    id: 'message-7',
    objectId: 'mailbox-1',
    objectName: 'Person 1',
    type: 'message',
    name: 'Quarterly figures',
    parentId: 'Inbox',
    path: ['Inbox'],
    from: 'Bob Marsh',
    date: '2026-03-01T12:00:00.000Z',
    sizeBytes: 2_048,
    endedAt: null,
    ...fields,
  };
}

export function buildPreview(fields: Partial<ItemPreview> = {}): ItemPreview {
  return {
    id: 'message-1',
    type: 'message',
    name: 'Message 1',
    from: { name: 'Bob Marsh', address: 'bob@contoso.test' },
    recipients: [{ kind: 'to', name: 'Ada', address: 'ada@contoso.test' }],
    sentAt: '2026-03-10T12:00:00.000Z',
    receivedAt: null,
    html: '<p>Figures</p>',
    text: null,
    isCut: false,
    parts: [],
    losses: [],
    picture: null,
    facts: [],
    ...fields,
  };
}

export function buildOperation(number: number, fields: Partial<RestoreOperation> = {}): RestoreOperation {
  return {
    id: buildId(number),
    restoreSessionId: buildId(50),
    organizationId: contoso.id,
    organizationName: contoso.name,
    companyId: contoso.companyId,
    name: 'Person 1: Message 1',
    target: 'person1@contoso.test',
    isPlan: false,
    state: 'Queued',
    isCancelling: false,
    createdAt: '2026-03-15T12:00:00.000Z',
    createdBy: 'Olga Perez',
    startedAt: null,
    endedAt: null,
    done: 0,
    total: null,
    bytes: 0,
    containers: 0,
    restored: 0,
    replaced: 0,
    copied: 0,
    skipped: 0,
    failed: 0,
    notBegun: 0,
    skippedBecause: {},
    losses: {},
    message: null,
    ...fields,
  };
}

export function buildDownload(number: number, fields: Partial<BackgroundDownload> = {}): BackgroundDownload {
  const id = buildId(number);
  return {
    id,
    fileName: `Person ${number}.pst`,
    format: 'pst',
    status: 'finished',
    organizationId: contoso.id,
    organizationName: contoso.name,
    companyId: contoso.companyId,
    restoreSessionId: buildId(50),
    createdAt: '2026-03-15T12:00:00.000Z',
    createdBy: 'Olga Perez',
    startedAt: null,
    finishedAt: '2026-03-15T12:05:00.000Z',
    expiresAt: '2026-03-22T12:05:00.000Z',
    items: 10,
    totalItems: 10,
    bytes: 2_048,
    sizeBytes: 2_048,
    sha256: 'abc',
    missing: 0,
    message: null,
    url: `/o365/restore/downloads/${id}`,
    ...fields,
  };
}
