import { plainText } from '../../../search/plain-text.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';

/** How much of a text replaces a missing subject. */
const NAME_LENGTH = 80;
/** How much of a body is read for it: the rest of a long one would be parsed in vain. */
const BODY_LENGTH = 8_000;

/** What a message is called in lists: its subject, the beginning of its text, or what it has instead of both. */
export function messageName(entity: JsonObject): string {
  return textOf(entity['subject']) ?? (beginningOf(objectOf(entity['body'])) || withoutText(entity));
}

function beginningOf(body: JsonObject): string {
  const content = (textOf(body['content']) ?? '').slice(0, BODY_LENGTH).toWellFormed();
  const isHtml = textOf(body['contentType'])?.toLowerCase() !== 'text';
  const text = (isHtml ? plainText(withEmoji(content)) : content).replace(/\s+/g, ' ').trim();
  return text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH).toWellFormed()}…` : text;
}

/** An emoji is an element whose character is in an attribute. Tag by tag, as one pattern for all takes cubic time on a hostile body. */
function withEmoji(html: string): string {
  const [before = '', ...behindOpenings] = html.split(/<emoji\b/i);
  return before + behindOpenings.map(emojiAtStart).join('');
}

function emojiAtStart(behindOpening: string): string {
  const end = behindOpening.indexOf('>') + 1;
  const character = /\balt="([^"]*)"/i.exec(behindOpening.slice(0, end))?.[1];
  return character === undefined ? `<emoji${behindOpening}` : character + behindOpening.slice(end);
}

function withoutText(entity: JsonObject): string {
  return eventName(objectOf(entity['eventDetail'])) ?? attachedName(entity) ?? removedName(entity) ?? '';
}

/**
 * `Members added` of `#microsoft.graph.membersAddedEventMessageDetail`; a call says whether it was a meeting.
 * https://learn.microsoft.com/graph/api/resources/eventmessagedetail
 */
function eventName(detail: JsonObject): string | null {
  const [, event] = /([A-Za-z]+)EventMessageDetail$/.exec(textOf(detail['@odata.type']) ?? '') ?? [];
  if (event === undefined) return null;
  const words = event.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const name = textOf(detail['callEventType']) === 'meeting' ? words.replace(/^call\b/, 'meeting') : words;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function attachedName(entity: JsonObject): string | null {
  const attachments = objectsOf(entity['attachments']);
  const [first, ...others] = attachments.flatMap(({ name }) => textOf(name) ?? []);
  if (first !== undefined) return `Attachment: ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  if (/<img\b/i.test(textOf(objectOf(entity['body'])['content']) ?? '')) return 'Picture';
  if (attachments.length === 0) return null;
  const isCard = attachments.some(({ contentType }) => textOf(contentType)?.includes('.card.'));
  return isCard ? 'Card' : 'Attachment';
}

function removedName(entity: JsonObject): string | null {
  return textOf(entity['deletedDateTime']) === undefined ? null : 'Deleted message';
}
