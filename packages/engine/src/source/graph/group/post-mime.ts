import MailComposer from 'nodemailer/lib/mail-composer';
import { dateOf, type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';

/** Of a post without a time: the same bytes each time it is read. */
const NO_DATE = new Date(0);

/**
 * Makes the message that a post was: Graph gives out no MIME of posts. It has no attachments: Graph does not give these out either.
 * @param post as `wholePost` gives it
 */
export function mimeOfPost(post: JsonObject): Promise<Buffer> {
  const { contentType, content } = objectOf(post['body']);
  const [sender] = addressesOf([post['sender']]);
  const [from = sender] = addressesOf([post['from']]);
  const text = textOf(content) ?? '';
  return new MailComposer({
    from,
    sender: sender?.address === from?.address ? undefined : sender,
    to: addressesOf(objectsOf(post['toRecipients'])),
    cc: addressesOf(objectsOf(post['ccRecipients'])),
    subject: textOf(post['subject']) ?? '',
    messageId: textOf(post['internetMessageId']) ?? '<post@post.invalid>',
    date: dateOf(post['receivedDateTime']) ?? NO_DATE,
    ...(textOf(contentType)?.toLowerCase() === 'html' ? { html: text } : { text }),
    encoding: 'base64',
    textEncoding: 'B',
    // What a post says is text, whatever it looks like.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/** Those that are one address: a line end in it would begin another header. */
function addressesOf(recipients: readonly unknown[]): { name: string; address: string }[] {
  return recipients.flatMap((recipient) => {
    const { name, address } = objectOf(objectOf(recipient)['emailAddress']);
    const mail = textOf(address);
    if (mail === undefined || !/^[^\s<>,"]+$/.test(mail)) return [];
    const shown = textOf(name) ?? '';
    return [{ name: shown === mail ? '' : shown, address: mail }];
  });
}
