import { ChangeLog } from '../wire/change-log.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { ChatMessage, NewMessage, Reaction } from './message.ts';

const messageNotFound = () => new GraphError(404, 'NotFound', 'The message was not found.');

/** The messages of a channel or a chat. */
export class Conversation {
  /** Posts; a post changes with its replies, so that its thread shows in delta queries. */
  readonly changes = new ChangeLog();
  private readonly messages = new Map<string, ChatMessage>();
  private readonly replyChanges = new Map<string, ChangeLog>();

  /** Newest first, as the vendor lists them; deleted ones stay with their place. */
  get posts(): ChatMessage[] {
    return newestFirst([...this.messages.values()].filter(({ replyToId }) => replyToId === null));
  }

  /** Posts and replies. */
  get all(): ChatMessage[] {
    return newestFirst([...this.messages.values()]);
  }

  repliesTo(postId: string): ChatMessage[] {
    return newestFirst([...this.messages.values()].filter(({ replyToId }) => replyToId === postId));
  }

  find(id: string): ChatMessage | undefined {
    return this.messages.get(id);
  }

  /** @throws GraphError 404 */
  message(id: string): ChatMessage {
    const message = this.messages.get(id);
    if (!message) throw messageNotFound();
    return message;
  }

  repliesLog(postId: string): ChangeLog {
    const log = this.replyChanges.get(postId) ?? new ChangeLog();
    this.replyChanges.set(postId, log);
    return log;
  }

  /**
   * Posts a message, or a reply to a post.
   * @param isImport whether the instant is the message's own: then it cannot be moved when it is in use
   * @throws GraphError 404 for an unknown post, 409 for an imported message whose instant is in use
   */
  post(message: NewMessage, createdMs: number, replyToId: string | null = null, isImport = false): ChatMessage {
    if (replyToId !== null) this.message(replyToId);
    let ms = Math.floor(createdMs);
    if (isImport && this.messages.has(String(ms))) {
      throw new GraphError(409, 'Conflict', 'A message of this createdDateTime exists in the conversation.');
    }
    while (this.messages.has(String(ms))) ms += 1;
    const made: ChatMessage = {
      ...{ subject: null, importance: 'normal', attachments: [], mentions: [], reactions: [], hostedContents: [] },
      ...{ messageType: 'message', eventDetail: null, ...message },
      ...{ id: String(ms), replyToId, createdMs: ms, modifiedMs: ms, editedMs: undefined, deletedMs: undefined },
    };
    this.messages.set(made.id, made);
    this.record(made);
    return made;
  }

  edit(message: ChatMessage, content: string, atMs: number): void {
    Object.assign(message, { body: { ...message.body, content }, editedMs: atMs, modifiedMs: atMs });
    this.record(message);
  }

  /** The text goes; that there was a message stays. */
  remove(message: ChatMessage, atMs: number): void {
    Object.assign(message, { body: { contentType: 'html', content: '' }, deletedMs: atMs, modifiedMs: atMs });
    Object.assign(message, { attachments: [], mentions: [], reactions: [], hostedContents: [] });
    this.record(message);
  }

  react(message: ChatMessage, reaction: Reaction): void {
    message.reactions.push(reaction);
    message.modifiedMs = reaction.createdMs;
    this.record(message);
  }

  private record({ id, replyToId }: ChatMessage): void {
    this.changes.record(replyToId ?? id);
    if (replyToId !== null) this.repliesLog(replyToId).record(id);
  }
}

const newestFirst = (messages: ChatMessage[]) => messages.sort((one, other) => other.createdMs - one.createdMs);
