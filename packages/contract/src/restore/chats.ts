import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant } from '../wire/fields.ts';
import {
  chosenOnes,
  deletable,
  downloadFields,
  listed,
  nodeId,
  objectsOf,
  resultsOf,
  weighing,
  zipDownload,
} from './explorer.ts';

/** Chats of people in a restore session of Teams. They are looked at and saved: Microsoft lets no application write into a chat as its people. */

const access = 'o365.restoreTeams' as const;
const at = '/o365/restore/restoresessions/{restoreSessionId}/chats' as const;
const person = z.strictObject({ restoreSessionId: id, personId: nodeId });

/** Behind the id of a person: names what of that person is meant, as other objects have the same id. */
export const CHATS_SUFFIX = '-chats';

export const chatPerson = entity(
  'RestoreChatPerson',
  z.object({
    /** `{user}-chats`. */
    id: z.string(),
    displayName: z.string(),
    email: z.nullable(z.string()),
    backupTime: instant,
    ...deletable,
  }),
);
export type ChatPerson = z.infer<typeof chatPerson>;

export const listChatPeople = declareCall({
  ...objectsOf(chatPerson),
  path: at,
  access,
  failure: 'Error getting the chats. Try again later.',
  summary: 'People whose chats were backed up, by name.',
});

export const chat = entity(
  'RestoreChat',
  z.object({
    id: z.string(),
    /** Its topic, or else who is in it. */
    displayName: z.string(),
    personId: z.string(),
    /** `oneOnOne`, `group` or `meeting`. */
    type: z.nullable(z.string()),
    members: z.array(z.string()),
    createdTime: z.nullable(instant),
    ...deletable,
  }),
);
export type Chat = z.infer<typeof chat>;

export const listChats = declareCall({
  method: 'GET',
  path: `${at}/{personId}/conversations`,
  access,
  audit: 'restore.browse',
  params: person,
  query: z.strictObject(listed),
  ...resultsOf(chat),
  failure: 'Error getting the chats. Try again later.',
  summary: 'Chats of a person.',
});

export const chatMessage = entity(
  'RestoreChatMessage',
  z.object({
    id: z.string(),
    personId: z.string(),
    chatId: z.string(),
    author: z.nullable(z.string()),
    /** The first words. */
    subject: z.string(),
    createdTime: z.nullable(instant),
    lastModifiedTime: z.nullable(instant),
    hasAttachments: z.boolean(),
    ...deletable,
  }),
);
export type ChatMessage = z.infer<typeof chatMessage>;

export const listChatMessages = declareCall({
  method: 'GET',
  path: `${at}/{personId}/messages`,
  access,
  audit: 'restore.browse',
  params: person,
  query: z.strictObject({ ...listed, chatId: nodeId }),
  ...resultsOf(chatMessage),
  failure: 'Error getting the chats. Try again later.',
  summary: 'Messages of a chat, newest first.',
});

/** Some chats or messages; without: all of the person's chats. */
const some = { chats: z.optional(chosenOnes), messages: z.optional(chosenOnes) };

export const weighChats = declareCall({
  ...weighing,
  path: `${at}/{personId}/download-size`,
  access,
  params: person,
  body: z.strictObject(some),
  summary: 'How many messages are in chats, and how many bytes of text.',
});

export const downloadChats = declareCall({
  ...zipDownload,
  path: `${at}/{personId}/download`,
  access,
  params: person,
  body: z.strictObject({ ...downloadFields, ...some }),
  failure: 'Error downloading the chats. Try again later.',
  summary: 'Chats as a ZIP of pages that any browser shows, with pictures and reactions.',
});
