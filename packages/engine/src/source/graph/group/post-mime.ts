import libmime from 'libmime';
import { dateOf, type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';

/** As long as a line of encoded text may be; RFC 2045, 6.8. */
const LINE = /.{1,76}/g;

/**
 * Makes the message that a post was: Graph gives out no MIME of posts. It has no attachments: Graph does not give these out either.
 * @param post as `wholePost` gives it
 */
export function mimeOfPost(post: JsonObject): Buffer {
  const { contentType, content } = objectOf(post['body']);
  const subtype = textOf(contentType)?.toLowerCase() === 'html' ? 'html' : 'plain';
  const sender = addressOf(post['sender']);
  const from = addressOf(post['from']) ?? sender;
  const headers = [
    ['From', from],
    ['Sender', sender === from ? undefined : sender],
    ['To', addressesOf(post['toRecipients'])],
    ['Cc', addressesOf(post['ccRecipients'])],
    ['Subject', encoded(textOf(post['subject']) ?? '')],
    ['Message-ID', textOf(post['internetMessageId'])],
    ['Date', dateOf(post['receivedDateTime'])?.toUTCString().replace('GMT', '+0000')],
    ['MIME-Version', '1.0'],
    ['Content-Type', `text/${subtype}; charset=utf-8`],
    ['Content-Transfer-Encoding', 'base64'],
  ].flatMap(([name, value]) => (value === undefined ? [] : [libmime.foldLines(`${name}: ${value}`, 76)]));
  const body = Buffer.from(textOf(content) ?? '')
    .toString('base64')
    .match(LINE);
  return Buffer.from([...headers, '', ...(body ?? []), ''].join('\r\n'));
}

/** What is no plain text for a header goes as an encoded word (RFC 2047): neither signs nor line ends of a topic make headers. */
const encoded = (text: string) => (/^[\w .,:;!?'()+/-]*$/.test(text) ? text : libmime.encodeWord(text, 'B', 60));

function addressOf(recipient: unknown): string | undefined {
  const { name, address } = objectOf(objectOf(recipient)['emailAddress']);
  const mail = textOf(address);
  if (mail === undefined || !/^[^\s<>,"]+$/.test(mail)) return undefined;
  const shown = textOf(name);
  if (shown === undefined || shown === mail) return mail;
  return /^[\w ]+$/.test(shown) ? `${shown} <${mail}>` : `${libmime.encodeWord(shown, 'B', 60)} <${mail}>`;
}

function addressesOf(recipients: unknown): string | undefined {
  const all = objectsOf(recipients).flatMap((one) => addressOf(one) ?? []);
  return all.length > 0 ? all.join(', ') : undefined;
}
