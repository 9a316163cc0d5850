import * as z from 'zod/mini';
import { declareCall, file } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { flag, id, instant, text } from '../wire/fields.ts';
import {
  begun,
  below,
  CHOSEN_BYTES_MAX,
  chosenOnes,
  deletable,
  downloadFields,
  nodeId,
  objectsOf,
  restoreFields,
  resultsOf,
  sizeFields,
  sorted,
  weighing,
} from './explorer.ts';

/** Mailboxes and archives of a restore session: folders, items, bringing them back and saving them. */

const access = 'o365.restoreOutlook' as const;
const at = '/o365/restore/restoresessions/{restoreSessionId}/mailboxes' as const;
const mailbox = z.strictObject({ restoreSessionId: id, mailboxId: nodeId });
const folder = z.strictObject({ restoreSessionId: id, mailboxId: nodeId, folderId: nodeId });

export const restoreMailbox = entity(
  'RestoreMailbox',
  z.object({
    id: z.string(),
    name: z.string(),
    email: z.nullable(z.string()),
    isArchive: z.boolean(),
    /** Of a group: its conversations go into the mailbox of a person alone. */
    isGroup: z.boolean(),
    backupTime: instant,
    ...deletable,
  }),
);
export type RestoreMailbox = z.infer<typeof restoreMailbox>;

export const listRestoreMailboxes = declareCall({
  ...objectsOf(restoreMailbox),
  path: at,
  access,
  failure: 'Error getting the mailboxes. Try again later.',
  summary: 'Mailboxes and archives of the session, by name.',
});

export const FOLDER_TYPES = ['mail-folder', 'calendar', 'contact-folder', 'task-list', 'settings'] as const;

export const mailboxFolder = entity(
  'RestoreMailboxFolder',
  z.object({
    id: z.string(),
    name: z.string(),
    mailboxId: z.string(),
    parentId: z.nullable(z.string()),
    type: z.enum(FOLDER_TYPES),
    /** `inbox`, `sentitems` and the like, where it is one of those that every mailbox has. */
    category: z.nullable(z.string()),
    ...deletable,
  }),
);
export type MailboxFolder = z.infer<typeof mailboxFolder>;

export const listMailboxFolders = declareCall({
  method: 'GET',
  path: `${at}/{mailboxId}/folders`,
  access,
  audit: 'restore.browse',
  params: mailbox,
  query: z.strictObject(below),
  ...resultsOf(mailboxFolder),
  failure: 'Error getting the mailbox folders. Try again later.',
  summary:
    'Folders in a folder, calendars and the like, by name; without `parentId`, or with `Root`, those at the top.',
});

export const MAIL_ITEM_TYPES = ['message', 'event', 'contact', 'task'] as const;

export const mailboxItem = entity(
  'RestoreMailboxItem',
  z.object({
    id: z.string(),
    mailboxId: z.string(),
    parentId: z.nullable(z.string()),
    type: z.string(),
    itemClass: z.nullable(z.string()),
    /** Subject; of a contact the name. */
    name: z.string(),
    subject: z.string(),
    from: z.nullable(z.string()),
    to: z.array(z.string()),
    cc: z.array(z.string()),
    bcc: z.array(z.string()),
    sent: z.nullable(instant),
    received: z.nullable(instant),
    startTime: z.nullable(instant),
    endTime: z.nullable(instant),
    modified: z.nullable(instant),
    sizeBytes: z.int(),
    hasAttachments: z.boolean(),
    isRead: z.nullable(z.boolean()),
    importance: z.nullable(z.string()),
    ...deletable,
  }),
);
export type MailboxItem = z.infer<typeof mailboxItem>;

export const listMailboxItems = declareCall({
  method: 'GET',
  path: `${at}/{mailboxId}/items`,
  access,
  audit: 'restore.browse',
  params: mailbox,
  query: z.strictObject({ ...below, ...sorted }),
  ...resultsOf(mailboxItem),
  failure: 'Error getting the mailbox items. Try again later.',
  summary: 'Messages, events, contacts and tasks in a folder.',
});

const original = { ...restoreFields, mailboxName: z.optional(text(400)) };
/** Into the mailbox of another user (id or address), or into a folder of its own (`options.folder`), or both. */
const another = { ...original, mailbox: z.optional(text(400)), folder: z.optional(text(250)) };
const items = { items: chosenOnes, itemsName: z.optional(text(2_000)) };

export const restoreMailboxToOriginal = declareCall({
  method: 'POST',
  path: `${at}/{mailboxId}/restore/originalloc`,
  access,
  audit: 'restore.start',
  params: mailbox,
  body: z.strictObject(original),
  ...begun,
  failure: 'Error restoring the mailbox. Try again later.',
  summary: 'Restores a mailbox to where it was.',
});

export const restoreMailboxToAnother = declareCall({
  method: 'POST',
  path: `${at}/{mailboxId}/restore/anotherloc`,
  access,
  audit: 'restore.start',
  params: mailbox,
  body: z.strictObject(another),
  ...begun,
  failure: 'Error restoring the mailbox. Try again later.',
  summary: 'Restores a mailbox into another mailbox or folder.',
});

export const restoreMailFolderToOriginal = declareCall({
  method: 'POST',
  path: `${at}/{mailboxId}/folders/{folderId}/restore/originalloc`,
  access,
  audit: 'restore.start',
  params: folder,
  body: z.strictObject(original),
  ...begun,
  failure: 'Error restoring the mailbox folder. Try again later.',
  summary: 'Restores a folder with all below it to where it was.',
});

export const restoreMailFolderToAnother = declareCall({
  method: 'POST',
  path: `${at}/{mailboxId}/folders/{folderId}/restore/anotherloc`,
  access,
  audit: 'restore.start',
  params: folder,
  body: z.strictObject(another),
  ...begun,
  failure: 'Error restoring the mailbox folder. Try again later.',
  summary: 'Restores a folder with all below it into another mailbox or folder.',
});

export const restoreMailItemsToOriginal = declareCall({
  method: 'POST',
  path: `${at}/{mailboxId}/items/restore/originalloc`,
  access,
  audit: 'restore.start',
  params: mailbox,
  body: z.strictObject({ ...original, ...items }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  ...begun,
  failure: 'Error restoring the mailbox folder. Try again later.',
  summary: 'Restores items to where they were.',
});

export const restoreMailItemsToAnother = declareCall({
  method: 'POST',
  path: `${at}/{mailboxId}/items/restore/anotherloc`,
  access,
  audit: 'restore.start',
  params: mailbox,
  body: z.strictObject({ ...another, ...items }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  ...begun,
  failure: 'Error restoring the mailbox folder. Try again later.',
  summary: 'Restores items into another mailbox or folder.',
});

export const MAILBOX_FORMATS = ['pst', 'zip'] as const;
export const MAIL_ITEM_FORMATS = ['pst', 'zip', 'msg', 'eml'] as const;

/** A PST, a ZIP with a file for each item, one item as MSG or EML, or the background download that makes it. */
const mailFile = file({
  types: [
    'application/vnd.ms-outlook',
    'application/zip',
    'application/vnd.ms-outlook-message',
    'message/rfc822',
    'application/json',
  ],
});
const saved = {
  ...downloadFields,
  mailboxName: z.optional(text(400)),
  /** Of a ZIP: what a message in it is. */
  messagesAs: z._default(z.enum(['eml', 'msg']), 'eml'),
  /** Of a PST: items alone in whose name, people or attachments it occurs. */
  contentKeyword: z.optional(text(200)),
  enablePstSizeLimit: z._default(flag, false),
};

export const downloadMailbox = declareCall({
  method: 'POST',
  path: `${at}/{mailboxId}/download`,
  access,
  audit: 'restore.download',
  params: mailbox,
  body: z.strictObject({ ...saved, format: z._default(z.enum(MAILBOX_FORMATS), 'pst') }),
  reply: mailFile,
  failure: 'Error downloading mailbox. Try again later.',
  summary:
    'A mailbox as PST, or as ZIP with a file for each message. Large ones are refused: make them in the background.',
});

export const downloadMailFolder = declareCall({
  method: 'POST',
  path: `${at}/{mailboxId}/folders/{folderId}/download`,
  access,
  audit: 'restore.download',
  params: folder,
  body: z.strictObject({ ...saved, format: z._default(z.enum(MAILBOX_FORMATS), 'pst') }),
  reply: mailFile,
  failure: 'Error downloading mailbox. Try again later.',
  summary: 'A folder with all below it as PST or ZIP.',
});

export const downloadMailItems = declareCall({
  method: 'POST',
  path: `${at}/{mailboxId}/items/download`,
  access,
  audit: 'restore.download',
  params: mailbox,
  body: z.strictObject({ ...saved, ...items, format: z._default(z.enum(MAIL_ITEM_FORMATS), 'pst') }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  reply: mailFile,
  failure: 'Error downloading mailbox. Try again later.',
  summary: 'Items as PST or ZIP, one item also as MSG or EML.',
});

export const weighMailbox = declareCall({
  ...weighing,
  path: `${at}/{mailboxId}/download-size`,
  access,
  params: mailbox,
  body: z.strictObject(sizeFields),
  summary: 'How much a mailbox, a folder of it or some items are.',
});
