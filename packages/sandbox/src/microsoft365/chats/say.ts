import { mix, pick, unit } from '../../world/random.ts';
import type { Identity } from '../drives/identity-set.ts';
import type { Conversation } from './conversation.ts';
import type { ChatMessage, NewMessage } from './message.ts';
import { teamworkUser } from './message-entity.ts';

const texts = [
  'Guten Morgen!',
  'Können wir das verschieben? 🙏',
  '了解しました。',
  'Да, конечно.',
  'نعم، بالتأكيد',
  'See https://example.com/a?b=c&d=e',
  '<p>Two <strong>bold</strong> words &amp; a list:</p><ul><li>eins</li><li>zwei</li></ul>',
  'ok',
  'Ελάτε στις 3',
  'Zeile 1<br>Zeile 2',
] as const;

/** A picture of one pixel, as PNG. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export interface Talk {
  seed: number;
  people: readonly Identity[];
  /** How many posts. */
  count: number;
  fromMs: number;
  toMs: number;
  /** Address of the conversation's messages, for pictures within them. */
  messagesUrl: string;
  /** Whether posts are answered, as in channels. */
  hasReplies: boolean;
}

/** Lets people talk: posts with mentions, pictures, links, reactions, replies, edits and deletions. */
export function talk(conversation: Conversation, story: Talk): void {
  const { seed, count, fromMs, toMs } = story;
  if (story.people.length === 0) return;
  for (let number = 0; number < count; number += 1) {
    const atMs = fromMs + Math.floor(((toMs - fromMs) * (number + unit(seed, number, 1001) * 0.9)) / count);
    const post = say(conversation, story, number, atMs);
    const replies = story.hasReplies ? mix(seed, number, 1002) % 4 : 0;
    for (let reply = 1; reply <= replies; reply += 1) {
      say(conversation, story, number * 100 + reply, atMs + reply * 60_000, post.id);
    }
    react(conversation, story, post, number);
  }
}

/** One message; what it has beside its text is a matter of its number. */
export function say(
  conversation: Conversation,
  story: Talk,
  number: number,
  atMs: number,
  replyTo?: string,
): ChatMessage {
  const { seed } = story;
  const author = personAt(story, number, 1011);
  const text = pick(texts, seed, number, 1012);
  const plain: NewMessage = { from: { user: author }, body: { contentType: 'html', content: text } };
  const message = conversation.post({ ...plain, ...extrasOf(story, number, text) }, atMs, replyTo ?? null);
  message.body.content = message.body.content.replaceAll('{id}', message.id);
  return message;
}

function extrasOf(story: Talk, number: number, text: string): Partial<NewMessage> {
  if (number % 9 === 3) return { subject: `Betreff ${number}`, importance: number % 2 === 0 ? 'high' : 'normal' };
  if (number % 9 === 5) return withMention(personAt(story, number, 1021), text);
  if (number % 9 === 6) return withImage(story, text);
  if (number % 9 === 8) return withLink(number, text);
  return {};
}

function withMention(person: Identity, text: string): Partial<NewMessage> {
  const mentioned = { application: null, device: null, conversation: null, user: teamworkUser(person) };
  return {
    body: { contentType: 'html', content: `<at id="0">${person.displayName}</at> ${text}` },
    mentions: [{ id: 0, mentionText: person.displayName, mentioned }],
  };
}

function withImage({ messagesUrl }: Talk, text: string): Partial<NewMessage> {
  const source = `${messagesUrl}/{id}/hostedContents/1/$value`;
  return {
    body: { contentType: 'html', content: `<p>${text}</p><img src="${source}" width="1" height="1">` },
    hostedContents: [{ id: '1', contentType: 'image/png', bytes: pixel }],
  };
}

/** A file that was shared: the message contains a reference to it. */
function withLink(number: number, text: string): Partial<NewMessage> {
  const id = `attachment-${number}`;
  const contentUrl = 'https://contoso.sharepoint.com/sites/intranet/Shared%20Documents/Report.docx';
  const rest = { content: null, thumbnailUrl: null, teamsAppId: null };
  return {
    body: { contentType: 'html', content: `${text}<attachment id="${id}"></attachment>` },
    attachments: [{ id, contentType: 'reference', contentUrl, name: 'Report.docx', ...rest }],
  };
}

function react(conversation: Conversation, story: Talk, post: ChatMessage, number: number): void {
  const createdMs = post.createdMs + 120_000;
  if (number % 4 === 1) {
    const user = personAt(story, number, 1031);
    conversation.react(post, { reactionType: number % 8 === 1 ? 'like' : '❤️', displayName: 'Like', createdMs, user });
  }
  if (number % 11 === 4) conversation.edit(post, `${post.body.content} (edited)`, createdMs + 60_000);
  if (number % 13 === 7) conversation.remove(post, createdMs + 120_000);
}

function personAt({ seed, people }: Talk, number: number, salt: number): Identity {
  const { id, displayName } = people[mix(seed, number, salt) % people.length] ?? { id: '', displayName: '' };
  return { id, displayName };
}
