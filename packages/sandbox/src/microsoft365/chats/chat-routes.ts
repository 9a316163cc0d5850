import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphHandler, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { JsonObject } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import type { Chat } from './chats.ts';
import { memberEntity } from './member-entity.ts';
import { messageEntity } from './message-entity.ts';
import * as messages from './message-handlers.ts';

const basic = ['Chat.ReadBasic.All', 'Chat.Read.All', 'Chat.ReadWrite.All', 'Chat.Read', 'Chat.ReadWrite'];
const readers = ['Chat.Read.All', 'Chat.ReadWrite.All', 'Chat.Read', 'Chat.ReadWrite'];

function chatEntity({ id, chatType, topic, createdMs, conversation }: Chat, tenantId: string): JsonObject {
  const last = conversation.all[0]?.modifiedMs ?? createdMs;
  return {
    id,
    topic,
    createdDateTime: new Date(createdMs).toISOString(),
    lastUpdatedDateTime: new Date(last).toISOString(),
    chatType,
    webUrl: `https://teams.microsoft.com/l/chat/${encodeURIComponent(id)}/0?tenantId=${tenantId}`,
    tenantId,
    onlineMeetingInfo: null,
    viewpoint: null,
  };
}

function representation(call: GraphCall) {
  const members = (entity: JsonObject) => membersOf(call, call.tenant.chats.chat(String(entity['id'])));
  return { context: 'chats', pageSize: 50, maximum: 50, expand: { members } };
}

function membersOf({ tenant }: GraphCall, { id, members }: Chat): JsonObject[] {
  const { people } = tenant.drives;
  const facts = { conversationId: id, people, tenantId: tenant.id };
  return members.map((member) => memberEntity(member.id, ['owner'], facts));
}

const chatsOfUser = ({ tenant, params }: GraphCall) => tenant.chats.of(tenant.directory.user(params['user'] ?? '').id);

function listChats(call: GraphCall): GraphReply {
  return collectionReply(
    call,
    chatsOfUser(call).map((chat) => chatEntity(chat, call.tenant.id)),
    representation(call),
  );
}

/** Every message of every chat a user is in, newest first. */
function allMessagesOfUser(call: GraphCall): GraphReply {
  const tenantId = call.tenant.id;
  const all = chatsOfUser(call).flatMap(({ id, conversation }) =>
    conversation.all.map((message) => messageEntity(message, { chatId: id, tenantId })),
  );
  return collectionReply(call, all, { context: 'Collection(chatMessage)', pageSize: 50 });
}

const chatOf = ({ tenant, params }: GraphCall) => tenant.chats.chat(params['chat'] ?? '');

const inChat =
  (handler: (at: messages.ConversationCall) => GraphReply): GraphHandler =>
  (call) => {
    const { id, conversation } = chatOf(call);
    return handler({ call, conversation, place: { chatId: id, tenantId: call.tenant.id } });
  };

function getChat(call: GraphCall): GraphReply {
  return entityReply(call, chatEntity(chatOf(call), call.tenant.id), {
    ...representation(call),
    context: 'chats/$entity',
  });
}

function listMembers(call: GraphCall): GraphReply {
  return collectionReply(call, membersOf(call, chatOf(call)), { context: 'Collection(conversationMember)' });
}

/** A user may post in a chat they are a member of; an application without a user may not. */
function postMessage(call: GraphCall): GraphReply {
  const { userId } = call.caller;
  if (userId === null) throw importOnly();
  throw new GraphError(501, 'NotImplemented', 'The sandbox does not post in chats on behalf of people.');
}

/** What an application hears that posts without importing. */
export const importOnly = (): GraphError =>
  new GraphError(403, 'Forbidden', 'Message POST is allowed in application-only context only for import purposes.');

const get = (path: string, handle: GraphHandler, permissions: readonly string[]): GraphRoute => ({
  method: 'GET',
  path,
  handle,
  permissions,
});

/** Chats by themselves and as those of a user. */
export const chatRoutes: readonly GraphRoute[] = [
  get('/users/{user}/chats', listChats, basic),
  get('/users/{user}/chats/getAllMessages()', allMessagesOfUser, ['Chat.Read.All', 'Chat.ReadWrite.All']),
  ...['/chats/{chat}', '/users/{user}/chats/{chat}'].flatMap((chat) => [
    get(chat, getChat, basic),
    get(`${chat}/members`, listMembers, basic),
    get(`${chat}/messages`, inChat(messages.listMessages), readers),
    get(`${chat}/messages/{message}`, inChat(messages.getMessage), readers),
    get(`${chat}/messages/{message}/hostedContents`, inChat(messages.listHostedContents), readers),
    get(`${chat}/messages/{message}/hostedContents/{content}`, inChat(messages.getHostedContent), readers),
    get(`${chat}/messages/{message}/hostedContents/{content}/$value`, inChat(messages.getHostedValue), readers),
  ]),
  { method: 'POST', path: '/chats/{chat}/messages', handle: postMessage },
];
