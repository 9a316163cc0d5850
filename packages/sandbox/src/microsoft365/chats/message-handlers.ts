import { collectionReply } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { JsonObject } from '../wire/json.ts';
import { readFilter } from '../wire/odata-filter.ts';
import { entityReply } from '../wire/representation.ts';
import type { Conversation } from './conversation.ts';
import type { ChatMessage } from './message.ts';
import { type MessagePlace, messageEntity } from './message-entity.ts';

/** A conversation as a call found it. */
export interface ConversationCall {
  call: GraphCall;
  conversation: Conversation;
  place: MessagePlace;
}

/** Messages a page, as documented. */
const paging = { pageSize: 20, maximum: 50 };

function representationOf({ conversation, place }: ConversationCall) {
  const replies = (entity: JsonObject) =>
    conversation.repliesTo(String(entity['id'])).map((reply) => messageEntity(reply, place));
  const hostedContents = (entity: JsonObject) =>
    conversation.message(String(entity['id'])).hostedContents.map(({ id }) => hostedEntity(id));
  return { context: 'Collection(chatMessage)', ...paging, expand: { replies, hostedcontents: hostedContents } };
}

const listing = (messages: readonly ChatMessage[], place: MessagePlace) => ({
  length: messages.length,
  slice: (start: number, end: number) => messages.slice(start, end).map((message) => messageEntity(message, place)),
});

export function listMessages(at: ConversationCall): GraphReply {
  const { tenant, query } = at.call;
  if (tenant.behaviours.expiredSkipTokens && query.has('$skiptoken'))
    throw new GraphError(400, 'BadRequest', 'The skip token has expired.');
  return collectionReply(at.call, listing(at.conversation.posts, at.place), representationOf(at));
}

export function getMessage(at: ConversationCall): GraphReply {
  return entityReply(at.call, messageEntity(messageOf(at), at.place), representationOf(at));
}

export function listReplies(at: ConversationCall): GraphReply {
  const replies = at.conversation.repliesTo(messageOf(at).id);
  return collectionReply(at.call, listing(replies, at.place), representationOf(at));
}

/** Posts that changed, and those with new replies. What is older than eight months does not come, as documented. */
export function messagesDelta(at: ConversationCall): GraphReply {
  return delta(at, at.conversation.changes);
}

export function repliesDelta(at: ConversationCall): GraphReply {
  return delta(at, at.conversation.repliesLog(messageOf(at).id));
}

const deltaReachMs = 8 * 30 * 86_400_000;

function delta(at: ConversationCall, changes: Conversation['changes']): GraphReply {
  const { call, conversation, place } = at;
  const filter = call.query.get('$filter');
  const matches = filter === null ? () => true : readFilter(filter);
  const since = call.tenant.nowMs() - deltaReachMs;
  const read = (id: string) => {
    const message = conversation.find(id);
    if (!message || message.modifiedMs < since) return undefined;
    const entity = messageEntity(message, place);
    return matches(entity) ? entity : undefined;
  };
  return deltaReply(call, { changes, read }, representationOf(at));
}

export function listHostedContents(at: ConversationCall): GraphReply {
  const contents = messageOf(at).hostedContents.map(({ id }) => hostedEntity(id));
  return collectionReply(at.call, contents, { context: 'Collection(chatMessageHostedContent)' });
}

export function getHostedContent(at: ConversationCall): GraphReply {
  const { id } = hostedOf(at);
  return entityReply(at.call, hostedEntity(id), { context: 'chatMessageHostedContent/$entity' });
}

export function getHostedValue(at: ConversationCall): GraphReply {
  const { contentType, bytes } = hostedOf(at);
  return { status: 200, headers: { 'content-type': contentType }, body: bytes };
}

/** The bytes are read by `$value`; here they are not given, as at the vendor. */
const hostedEntity = (id: string): JsonObject => ({ id, contentBytes: null, contentType: null });

function hostedOf(at: ConversationCall) {
  const found = messageOf(at).hostedContents.find(({ id }) => id === at.call.params['content']);
  if (!found) throw new GraphError(404, 'NotFound', 'The hosted content was not found.');
  return found;
}

/** The message a call names: a reply when the path names one. */
export function messageOf({ call, conversation }: ConversationCall): ChatMessage {
  const { message = '', reply } = call.params;
  return conversation.message(reply ?? message);
}
