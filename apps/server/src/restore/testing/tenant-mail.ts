import { blankMessage } from '@keepwatch/sandbox/microsoft365/mail/message';
import type { RestoreBed } from './restore-bed.ts';

/** Puts a mail into the inbox of a user of the tenant, of any size and with any bytes, which no request could bring there. */
export function deliverMail({ tenant: { tenant } }: RestoreBed, userId: string, subject: string, mime: Buffer): void {
  const mailbox = tenant.mailboxes.of(userId);
  const now = tenant.nowMs();
  const message = blankMessage(now, tenant.newId(), tenant.domain);
  // The size of a message is reported as that of its attachments.
  const size = { size: mime.length, bytes: () => Buffer.alloc(0), modifiedMs: now };
  const logo = { kind: 'file', number: 1, name: 'logo.png', contentType: 'image/png', isInline: true } as const;
  const attachments = [{ ...logo, ...size, contentId: 'logo@x' }];
  mailbox.createItem(mailbox.wellKnown('inbox'), { ...message, isDraft: false, subject, attachments, raw: () => mime });
}

/** A mail with a body in HTML and a picture that the body may show as `cid:logo@x`. */
export function htmlMail(subject: string, html: string, picture: Buffer): Buffer {
  const head = [
    'From: Mallory <mallory@evil.example>',
    'To: Ada <ada@contoso.example>',
    `Subject: ${subject}`,
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary=r',
    '',
    '--r',
    'Content-Type: text/html; charset=utf-8',
    '',
    '',
  ].join('\r\n');
  const tail = [
    '',
    '--r',
    'Content-Type: image/png; name=logo.png',
    'Content-Transfer-Encoding: base64',
    'Content-ID: <logo@x>',
    'Content-Disposition: inline; filename=logo.png',
    '',
    picture.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
    '--r--',
    '',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), Buffer.from(html), Buffer.from(tail)]);
}
