import type { Identity } from '../drives/identity-set.ts';
import { GraphError } from '../wire/graph-error.ts';
import { Conversation } from './conversation.ts';

/** A talk of two, or of several with a topic. */
export interface Chat {
  /** Such as `19:…@thread.v2`. */
  id: string;
  chatType: 'oneOnOne' | 'group';
  topic: string | null;
  createdMs: number;
  members: Identity[];
  conversation: Conversation;
}

/** All chats of a tenant. */
export class Chats {
  private readonly byId = new Map<string, Chat>();

  add(chat: Omit<Chat, 'conversation'>): Chat {
    const made = { ...chat, conversation: new Conversation() };
    this.byId.set(chat.id, made);
    return made;
  }

  /** @throws GraphError 404 */
  chat(id: string): Chat {
    const chat = this.byId.get(id);
    if (!chat) throw new GraphError(404, 'NotFound', 'The chat was not found.');
    return chat;
  }

  of(userId: string): Chat[] {
    return [...this.byId.values()].filter(({ members }) => members.some(({ id }) => id === userId));
  }

  all(): Chat[] {
    return [...this.byId.values()];
  }
}
