import type { Identity } from '../drives/identity-set.ts';
import type { JsonObject } from '../wire/json.ts';

/** An image within a message's text. */
export interface HostedContent {
  id: string;
  contentType: string;
  bytes: Buffer;
}

export interface Reaction {
  reactionType: string;
  displayName: string;
  createdMs: number;
  user: Identity;
}

/** A message of a channel or a chat. */
export interface ChatMessage {
  /** The instant of its creation in milliseconds; unique within its conversation. */
  id: string;
  /** The post a reply belongs to. */
  replyToId: string | null;
  messageType: 'message' | 'systemEventMessage';
  createdMs: number;
  modifiedMs: number;
  editedMs: number | undefined;
  deletedMs: number | undefined;
  from: { user?: Identity; application?: Identity };
  subject: string | null;
  importance: string;
  body: { contentType: string; content: string };
  attachments: JsonObject[];
  mentions: JsonObject[];
  reactions: Reaction[];
  hostedContents: HostedContent[];
  eventDetail: JsonObject | null;
}

/** What a message says when it is posted; all else follows from where and when. */
export type NewMessage = Pick<ChatMessage, 'from' | 'body'> &
  Partial<Pick<ChatMessage, 'subject' | 'importance' | 'attachments' | 'mentions' | 'hostedContents' | 'messageType'>> &
  Partial<Pick<ChatMessage, 'eventDetail' | 'reactions'>>;
