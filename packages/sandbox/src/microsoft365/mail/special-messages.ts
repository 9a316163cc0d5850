import type { Message } from './message.ts';

const lines = (...parts: readonly string[]) => Buffer.from(parts.join('\r\n'), 'latin1');
const head = (message: Message) => [
  `From: <${message.from?.address ?? ''}>`,
  `Message-ID: ${message.internetMessageId}`,
  `Date: ${new Date(message.sentMs).toUTCString()}`,
];

/** Signed: the outer structure must not change by one byte, or the signature breaks. */
function signed(message: Message): Message {
  const raw = () =>
    lines(
      ...head(message),
      'Subject: Signed',
      'MIME-Version: 1.0',
      'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary="s"',
      '',
      '--s',
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'This text is signed.  ',
      '',
      '--s',
      'Content-Type: application/pkcs7-signature; name="smime.p7s"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(`signature of ${message.internetMessageId}`).toString('base64'),
      '--s--',
      '',
    );
  const messageClass = 'IPM.Note.SMIME.MultipartSigned';
  return { ...message, raw, messageClass, subject: 'Signed', bodyType: 'text', body: 'This text is signed.  \r\n' };
}

/** Encrypted: one opaque part. */
function encrypted(message: Message): Message {
  const bytes = Buffer.from(`envelope of ${message.internetMessageId}`);
  const raw = () =>
    lines(
      ...head(message),
      'Subject: Encrypted',
      'MIME-Version: 1.0',
      'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment; filename="smime.p7m"',
      '',
      bytes.toString('base64'),
      '',
    );
  const facts = { number: 1, contentId: null, isInline: false, modifiedMs: message.receivedMs };
  const contentType = 'application/pkcs7-mime';
  return {
    ...message,
    raw,
    messageClass: 'IPM.Note.SMIME',
    subject: 'Encrypted',
    bodyType: 'text',
    body: '',
    attachments: [{ ...facts, kind: 'file', name: 'smime.p7m', contentType, size: bytes.length, bytes: () => bytes }],
  };
}

/** Broken: bare line feeds, eight-bit headers without encoding, a boundary that never ends, a NUL. */
function broken(message: Message): Message {
  const raw = () =>
    Buffer.from(
      `From: absent\nSubject: Gr\u00fc\u00dfe \u0000\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nnever ends \u00ff\u00fe`,
      'latin1',
    );
  return {
    ...message,
    raw,
    subject: 'Gr\u00fc\u00dfe ',
    bodyType: 'text',
    body: 'never ends \u00ff\u00fe',
    attachments: [],
  };
}

/** Nothing after the headers, not even the empty line. */
function headersOnly(message: Message): Message {
  const raw = () => lines(...head(message), 'Subject: Headers only', '');
  return { ...message, raw, subject: 'Headers only', bodyType: 'text', body: '', attachments: [] };
}

/** A calendar invitation as mail. */
function invitation(message: Message): Message {
  const raw = () =>
    lines(
      ...head(message),
      'Subject: Invitation',
      'MIME-Version: 1.0',
      'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
      '',
      'BEGIN:VCALENDAR',
      'END:VCALENDAR',
      '',
    );
  const messageClass = 'IPM.Schedule.Meeting.Request';
  return { ...message, raw, messageClass, subject: 'Invitation', bodyType: 'text', body: '', attachments: [] };
}

/** Each is one in sixty messages. */
export const specialKinds: readonly ((message: Message) => Message)[] = [
  signed,
  encrypted,
  broken,
  headersOnly,
  invitation,
];
