import type { Identity } from '../drives/identity-set.ts';
import type { JsonObject } from '../wire/json.ts';
import type { ChatMessage } from './message.ts';

/** Where a message is: in a channel of a team, or in a chat. */
export type MessagePlace =
  | { teamId: string; channelId: string; tenantId: string }
  | { chatId: string; tenantId: string };

const instantOf = (ms: number) => new Date(ms).toISOString();
const instantOrNull = (ms: number | undefined) => (ms === undefined ? null : instantOf(ms));

/** The `chatMessage` of the wire. */
export function messageEntity(message: ChatMessage, place: MessagePlace): JsonObject {
  const isChannel = 'channelId' in place;
  return {
    '@odata.type': '#microsoft.graph.chatMessage',
    id: message.id,
    replyToId: message.replyToId,
    etag: String(message.modifiedMs),
    messageType: message.messageType,
    createdDateTime: instantOf(message.createdMs),
    lastModifiedDateTime: instantOf(message.modifiedMs),
    lastEditedDateTime: instantOrNull(message.editedMs),
    deletedDateTime: instantOrNull(message.deletedMs),
    subject: message.subject,
    summary: null,
    chatId: isChannel ? null : place.chatId,
    importance: message.importance,
    locale: 'en-us',
    webUrl: isChannel ? webUrlOf(message, place) : null,
    channelIdentity: isChannel ? { teamId: place.teamId, channelId: place.channelId } : null,
    policyViolation: null,
    eventDetail: message.eventDetail,
    from: message.messageType === 'message' ? fromEntity(message.from) : null,
    body: message.body,
    attachments: message.attachments,
    mentions: message.mentions,
    reactions: message.reactions.map(({ createdMs, user, ...reaction }) => ({
      ...reaction,
      reactionContentUrl: null,
      createdDateTime: instantOf(createdMs),
      user: { application: null, device: null, user: teamworkUser(user) },
    })),
    messageHistory: [],
  };
}

function fromEntity({ user, application }: ChatMessage['from']): JsonObject {
  return { application: application ?? null, device: null, user: user ? teamworkUser(user) : null };
}

export const teamworkUser = ({ id, displayName }: Identity): JsonObject => ({
  '@odata.type': '#microsoft.graph.teamworkUserIdentity',
  id,
  displayName,
  userIdentityType: 'aadUser',
});

function webUrlOf(message: ChatMessage, place: { teamId: string; channelId: string; tenantId: string }): string {
  const parent = message.replyToId ?? message.id;
  const query = `groupId=${place.teamId}&tenantId=${place.tenantId}&createdTime=${message.id}&parentMessageId=${parent}`;
  return `https://teams.microsoft.com/l/message/${encodeURIComponent(place.channelId)}/${message.id}?${query}`;
}
