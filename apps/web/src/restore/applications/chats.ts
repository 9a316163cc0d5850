import {
  CHATS_SUFFIX,
  type Chat,
  type ChatMessage,
  type ChatPerson,
  downloadChats,
  listChatMessages,
  listChatPeople,
  listChats,
  weighChats,
} from '@keepwatch/contract/restore/chats';
import type { DownloadRequest, Source } from '../explorer/application.ts';
import { type Entry, entryIn, objectEntry, shownName } from '../explorer/entry.ts';
import { chosenIn, namesOf, pageOf } from '../explorer/pages.ts';

/** Chats of people, beside the teams. */

export const NO_CHATS =
  'Microsoft 365 lets no application write messages back into a chat. Download the chats: the ZIP shows them as they were.';

export const isOfChats = ({ type }: Pick<Entry, 'type'>) =>
  type === 'chats' || type === 'chat' || type === 'chat-message';

/** Whether an id on the wire is that of a person with chats, and not of a team. */
export const isChatsId = (objectId: string) => objectId.endsWith(CHATS_SUFFIX);

export const chatPeople: Source = {
  key: 'containers',
  read: async (api, { sessionId, range, search }, signal) =>
    pageOf(
      await api.request(
        listChatPeople,
        { params: { restoreSessionId: sessionId }, query: { ...range, ...(search === '' ? {} : { search }) } },
        signal,
      ),
      personEntry,
    ),
};

function personEntry({ id, displayName, email, isDeleted }: ChatPerson): Entry {
  return { ...objectEntry('chats', id, `${displayName} (chats)`), detail: email, isDeleted };
}

export function chatsOf(person: Entry): Source {
  return {
    key: 'containers',
    read: async (api, { sessionId, range }, signal) =>
      pageOf(
        await api.request(
          listChats,
          { params: { restoreSessionId: sessionId, personId: person.objectId }, query: range },
          signal,
        ),
        (chat) => chatEntry(person, chat),
      ),
  };
}

const TYPES: Readonly<Record<string, string>> = { oneOnOne: 'two people', group: 'group', meeting: 'meeting' };

function chatEntry(person: Entry, { id, displayName, type, isDeleted }: Chat): Entry {
  const detail = type === null ? null : (TYPES[type] ?? type);
  return { ...entryIn(person, 'chat', id, displayName), within: id, detail, isDeleted };
}

export function messagesOf(chat: Entry): Source {
  return {
    key: 'items',
    read: async (api, { sessionId, range }, signal) =>
      pageOf(
        await api.request(
          listChatMessages,
          {
            params: { restoreSessionId: sessionId, personId: chat.objectId },
            query: { ...range, chatId: chat.itemId ?? '' },
          },
          signal,
        ),
        (message) => messageEntry(chat, message),
      ),
  };
}

function messageEntry(
  chat: Entry,
  { id, subject, author, createdTime, hasAttachments, isDeleted }: ChatMessage,
): Entry {
  return {
    ...entryIn(chat, 'chat-message', id, shownName('chat-message', subject)),
    from: author,
    date: createdTime,
    isDeleted,
    detail: hasAttachments ? 'with attachments' : null,
  };
}

/** One ZIP of what was chosen of a person's chats. */
export function downloadsOfChats(group: readonly Entry[]): DownloadRequest[] {
  const [first] = group;
  if (first === undefined) return [];
  const isAll = group.some(({ type }) => type === 'chats');
  const of = (type: Entry['type']) => chosenIn(group.filter((entry) => entry.type === type));
  const some = (['chat', 'chat-message'] as const).flatMap((type) => {
    const chosen = of(type);
    return chosen.length === 0 ? [] : [[type === 'chat' ? 'chats' : 'messages', chosen] as const];
  });
  const body = isAll ? {} : Object.fromEntries(some);
  return [
    {
      name: namesOf(group),
      formats: ['zip'],
      start: (api, restoreSessionId, { fileName, downloadInBackground }) =>
        api.request(downloadChats, {
          params: { restoreSessionId, personId: first.objectId },
          body: { fileName, downloadInBackground, ...body },
        }),
      weigh: async (api, restoreSessionId) => {
        const params = { restoreSessionId, personId: first.objectId };
        return (await api.request(weighChats, { params, body })).data;
      },
    },
  ];
}
