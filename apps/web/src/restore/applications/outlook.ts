import { ROOT } from '@keepwatch/contract/restore/explorer';
import {
  downloadMailbox,
  downloadMailFolder,
  downloadMailItems,
  listMailboxFolders,
  listMailboxItems,
  listRestoreMailboxes,
  MAIL_ITEM_TYPES,
  type MailboxFolder,
  type MailboxItem,
  type RestoreMailbox,
  restoreMailboxToAnother,
  restoreMailboxToOriginal,
  restoreMailFolderToAnother,
  restoreMailFolderToOriginal,
  restoreMailItemsToAnother,
  restoreMailItemsToOriginal,
  weighMailbox,
} from '@keepwatch/contract/restore/mailboxes';
import type {
  DownloadRequest,
  RestoreApplication,
  RestoreRequest,
  RestoreWish,
  Source,
} from '../explorer/application.ts';
import {
  type Entry,
  type EntryType,
  entryIn,
  isContainer,
  objectEntry,
  personName,
  shownName,
} from '../explorer/entry.ts';
import { chosenIn, groupsOf, namesOf, pageOf } from '../explorer/pages.ts';

/** Mailboxes and archives: folders, messages, events, contacts and tasks. */
export const outlook: RestoreApplication = {
  sessionType: 'vex',
  title: 'Restore Outlook',
  objects: { type: 'mailbox', one: 'mailbox', many: 'mailboxes' },
  destination: {
    label: 'Another mailbox',
    description: 'Choose a person, or write a user name or address. Leave empty to restore into this mailbox.',
    // An archive is part of a mailbox, whose address it has.
    targetOf: ({ objectId, detail }) => (objectId.endsWith('-archive') ? null : detail),
  },
  fromTitle: 'From',
  dateTitle: 'Date',
  has: ({ isExchange }) => isExchange,
  sourcesOf: (node) => (node === null ? [mailboxes] : node.type === 'settings' ? [] : [foldersIn(node), itemsIn(node)]),
  restoresOf: (chosen) => groupsOf(chosen, groupOf).flatMap(restoresOf),
  downloadsOf: (chosen) => groupsOf(chosen, groupOf).flatMap(downloadsOf),
  typesOf: ({ type }) => ({ item: mailType(type), folder: folderType(type) }),
  atOnceBytesMax: 512 * 1_024 ** 2,
  options: ['folder', 'markRestored', 'markRestoredAsUnread', 'excludeDeletedItems', 'excludeDrafts'],
};

const mailboxes: Source = {
  key: 'containers',
  read: async (api, { sessionId, range, search }, signal) =>
    pageOf(
      await api.request(
        listRestoreMailboxes,
        { params: { restoreSessionId: sessionId }, query: { ...range, ...(search === '' ? {} : { search }) } },
        signal,
      ),
      mailboxEntry,
    ),
};

function mailboxEntry({ id, name, email, isArchive, isDeleted }: RestoreMailbox): Entry {
  const shown = isArchive ? `${name} (archive)` : name;
  return { ...objectEntry('mailbox', id, shown), detail: email, isDeleted };
}

const parentOf = ({ itemId }: Entry) => itemId ?? ROOT;

function foldersIn(node: Entry): Source {
  return {
    key: 'containers',
    read: async (api, { sessionId, range }, signal) =>
      pageOf(
        await api.request(
          listMailboxFolders,
          {
            params: { restoreSessionId: sessionId, mailboxId: node.objectId },
            query: { ...range, parentId: parentOf(node) },
          },
          signal,
        ),
        (folder) => folderEntry(node, folder),
      ),
  };
}

function folderEntry(parent: Entry, { id, name, type, isDeleted }: MailboxFolder): Entry {
  return { ...entryIn(parent, type, id, name), isDeleted };
}

function itemsIn(node: Entry): Source {
  return {
    key: 'items',
    read: async (api, { sessionId, range, sort }, signal) =>
      pageOf(
        await api.request(
          listMailboxItems,
          {
            params: { restoreSessionId: sessionId, mailboxId: node.objectId },
            query: { ...range, sort, parentId: parentOf(node) },
          },
          signal,
        ),
        (item) => itemEntry(node, item),
      ),
  };
}

function itemEntry(parent: Entry, item: MailboxItem): Entry {
  const { id, type, name, from, received, sent, startTime, modified, sizeBytes, hasAttachments, isDeleted } = item;
  return {
    ...entryIn(parent, mailType(type), id, shownName(type, name)),
    from: from === null ? null : personName(from),
    date: received ?? sent ?? startTime ?? modified,
    sizeBytes,
    isDeleted,
    detail: hasAttachments ? 'with attachments' : null,
  };
}

function mailType(type: string): EntryType {
  return MAIL_ITEM_TYPES.find((known) => known === type) ?? 'message';
}

function folderType(type: string): EntryType {
  return type === 'event'
    ? 'calendar'
    : type === 'contact'
      ? 'contact-folder'
      : type === 'task'
        ? 'task-list'
        : 'mail-folder';
}

/** Mailboxes and folders have a call for each; items of one mailbox one for all. */
function groupOf(entry: Entry): string {
  return isContainer(entry) ? `one ${entry.objectId} ${entry.itemId ?? ''}` : `items ${entry.objectId}`;
}

function restoresOf(group: readonly Entry[]): RestoreRequest[] {
  const [first] = group;
  if (first === undefined) return [];
  const { objectId: mailboxId, objectName: mailboxName, itemId } = first;
  return [
    {
      name: namesOf(group),
      start: async (api, restoreSessionId, wish) => {
        const params = { restoreSessionId, mailboxId };
        const [here, elsewhere] = [
          { ...fieldsOf(wish), mailboxName },
          { ...fieldsOf(wish), mailboxName, ...mailboxOf(wish) },
        ];
        if (!isContainer(first)) {
          const items = chosenIn(group);
          const { data } =
            wish.to === null
              ? await api.request(restoreMailItemsToOriginal, { params, body: { ...here, items } })
              : await api.request(restoreMailItemsToAnother, { params, body: { ...elsewhere, items } });
          return data;
        }
        if (itemId === null) {
          const { data } =
            wish.to === null
              ? await api.request(restoreMailboxToOriginal, { params, body: here })
              : await api.request(restoreMailboxToAnother, { params, body: elsewhere });
          return data;
        }
        const { data } =
          wish.to === null
            ? await api.request(restoreMailFolderToOriginal, { params: { ...params, folderId: itemId }, body: here })
            : await api.request(restoreMailFolderToAnother, {
                params: { ...params, folderId: itemId },
                body: elsewhere,
              });
        return data;
      },
    },
  ];
}

const fieldsOf = ({ options, planOnly, pathName }: RestoreWish) => ({ options, planOnly, pathName });
const mailboxOf = ({ to }: RestoreWish) => (to === null ? {} : { mailbox: to });

function downloadsOf(group: readonly Entry[]): DownloadRequest[] {
  const [first] = group;
  if (first === undefined) return [];
  const { objectId: mailboxId, itemId } = first;
  const isWhole = isContainer(first);
  const items = chosenIn(group);
  return [
    {
      name: namesOf(group),
      formats: isWhole || group.length > 1 ? ['pst', 'zip'] : ['pst', 'msg', 'eml', 'zip'],
      start: (api, restoreSessionId, { format, ...wish }) => {
        const params = { restoreSessionId, mailboxId };
        if (!isWhole)
          return api.request(downloadMailItems, { params, body: { ...wish, items, format: itemFormat(format) } });
        const body = { ...wish, format: format === 'zip' ? ('zip' as const) : ('pst' as const) };
        return itemId === null
          ? api.request(downloadMailbox, { params, body })
          : api.request(downloadMailFolder, { params: { ...params, folderId: itemId }, body });
      },
      weigh: async (api, restoreSessionId) => {
        const part = isWhole ? (itemId === null ? {} : { parentId: itemId }) : { items };
        const { data } = await api.request(weighMailbox, { params: { restoreSessionId, mailboxId }, body: part });
        return data;
      },
    },
  ];
}

function itemFormat(format: string) {
  return format === 'msg' || format === 'eml' || format === 'zip' ? format : ('pst' as const);
}
