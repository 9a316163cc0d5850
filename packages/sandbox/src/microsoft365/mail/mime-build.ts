import type { Attachment, EmailAddress, Message } from './message.ts';

const lineEnd = '\r\n';

/** The bytes of a message: those it was sent as, or bytes generated from its properties. */
export function mimeOf(message: Message): Buffer {
  return message.raw ? message.raw() : Buffer.from(buildMime(message), 'utf8');
}

/** MIME of a message (RFC 5322, 2045 to 2047): plain or HTML, inline parts as related, attachments as mixed. */
function buildMime(message: Message): string {
  const content = contentPart(message);
  return [...headerLines(message), 'MIME-Version: 1.0', content].join(lineEnd);
}

function headerLines(message: Message): string[] {
  const named: [string, string | undefined][] = [
    ['From', message.from ? addressList([message.from]) : undefined],
    [
      'Sender',
      message.sender && message.sender.address !== message.from?.address ? addressList([message.sender]) : undefined,
    ],
    ['To', addressList(message.to)],
    ['Cc', addressList(message.cc)],
    ['Bcc', addressList(message.bcc)],
    ['Reply-To', addressList(message.replyTo)],
    ['Subject', encodeWords(message.subject)],
    ['Date', new Date(message.sentMs).toUTCString().replace('GMT', '+0000')],
    ['Message-ID', message.internetMessageId],
    ['Importance', message.importance === 'normal' ? undefined : message.importance],
    [
      'Disposition-Notification-To',
      message.isReadReceiptRequested && message.from ? addressList([message.from]) : undefined,
    ],
  ];
  const known = new Set(named.map(([name]) => name.toLowerCase()));
  const others = message.headers
    .filter(({ name }) => !known.has(name.toLowerCase()) && !/^(mime-version|content-)/i.test(name))
    .map(({ name, value }): [string, string] => [name, value]);
  return [...named, ...others].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
}

function addressList(addresses: readonly EmailAddress[]): string {
  return addresses
    .map(({ name, address }) => {
      if (!name || name === address) return address;
      return isAscii(name) ? `"${name.replace(/["\\]/g, '\\$&')}" <${address}>` : `${encodeWords(name)} <${address}>`;
    })
    .join(`,${lineEnd} `);
}

const isAscii = (text: string) => !/[^\x20-\x7e]/.test(text);

/** Encoded words of at most 75 signs (RFC 2047), broken between characters only. */
export function encodeWords(text: string): string {
  if (isAscii(text)) return text;
  const words: string[] = [];
  let part = '';
  for (const sign of text) {
    if (Buffer.byteLength(part + sign) > 42) {
      words.push(part);
      part = '';
    }
    part += sign;
  }
  return [...words, part].map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join(`${lineEnd} `);
}

function contentPart(message: Message): string {
  const body = textPart(message.bodyType === 'html' ? 'text/html' : 'text/plain', message.body);
  const inline = message.attachments.filter(({ isInline }) => isInline);
  const attached = message.attachments.filter(({ isInline }) => !isInline);
  const related = inline.length > 0 ? multipart('related', message, [body, ...inline.map(attachmentPart)]) : body;
  return attached.length > 0 ? multipart('mixed', message, [related, ...attached.map(attachmentPart)]) : related;
}

function multipart(kind: string, message: Message, parts: readonly string[]): string {
  const boundary = `_${kind}_${Buffer.from(message.internetMessageId).toString('hex').slice(-40)}`;
  const body = parts.map((part) => `--${boundary}${lineEnd}${part}`).join(lineEnd);
  return `Content-Type: multipart/${kind}; boundary="${boundary}"${lineEnd}${lineEnd}${body}${lineEnd}--${boundary}--${lineEnd}`;
}

function textPart(type: string, text: string): string {
  return [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    base64Lines(Buffer.from(text)),
  ].join(lineEnd);
}

function attachmentPart(attachment: Attachment): string {
  const disposition = attachment.isInline ? 'inline' : 'attachment';
  const name = isAscii(attachment.name)
    ? `filename="${attachment.name}"`
    : `filename*=utf-8''${encodeURIComponent(attachment.name)}`;
  const id = attachment.contentId ? [`Content-ID: <${attachment.contentId}>`] : [];
  if (attachment.kind === 'item') {
    const mime = mimeOf(attachment.message).toString('latin1');
    return ['Content-Type: message/rfc822', `Content-Disposition: ${disposition}; ${name}`, ...id, '', mime].join(
      lineEnd,
    );
  }
  return [
    `Content-Type: ${attachment.contentType}`,
    `Content-Disposition: ${disposition}; ${name}`,
    'Content-Transfer-Encoding: base64',
    ...id,
    '',
    base64Lines(attachment.kind === 'file' ? attachment.bytes() : Buffer.alloc(0)),
  ].join(lineEnd);
}

function base64Lines(bytes: Buffer): string {
  return bytes.toString('base64').replace(/.{76}/g, `$&${lineEnd}`);
}
