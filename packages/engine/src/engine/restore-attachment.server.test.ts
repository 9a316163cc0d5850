import { randomBytes } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { listParts, restoreAttachment } from '../engine.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { textOf } from '../source/graph/json.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());

const work = { signal: new AbortController().signal, onEvent: () => undefined };

/** A message with two attachments in the backup of a mailbox that is there. */
async function bed(content: Buffer) {
  const { tenant, connection } = await startConnected({ size: 'small', budgets: false });
  onTestFinished(() => tenant.stop());
  const user = [...tenant.tenant.directory.users].find(({ mailbox }) => mailbox);
  if (user === undefined) throw new Error('The tenant has no mailbox.');
  const address = user.userPrincipalName;
  const mailbox: ProtectedObject = {
    organizationId: connection.tenantId,
    kind: 'mailbox',
    id: user.id,
    name: user.displayName,
    owner: `user/${user.id}`,
    address,
  };
  const mime = await new MailComposer({
    from: 'Ada <ada@contoso.example>',
    to: address,
    subject: 'Offer',
    text: 'Two files.',
    attachments: [
      { filename: 'other.txt', content: 'other' },
      { filename: 'Bericht für Grün.pdf', content, contentType: 'application/pdf' },
    ],
  })
    .compile()
    .build();
  const { object, revision } = await stored.backUp(mailbox, [
    { id: 'm', kind: 'message', name: 'Offer', parentId: null, contents: { properties: '{}', mime } },
  ]);
  const item = await stored.catalog.item(object.key, revision, 'm');
  if (item === null) throw new Error('It was not stored.');
  const parts = await listParts(stored, item, work.signal);
  const part = parts.find(({ name }) => name.endsWith('.pdf'))?.id ?? '';
  return { connection, object, item, part, user: user.id };
}

/** The messages of a folder at the top of a mailbox, and what they carry. */
async function messagesIn(connection: GraphConnection, user: string, folderName: string) {
  const mailbox = openGraphTarget(connection).mailbox({ kind: 'mailbox', id: user });
  const folder = (await mailbox.listFolders('mail-folder', work.signal)).find(({ name }) => name === folderName);
  const path = `/users/${user}/mailFolders/${folder?.id}/messages`;
  const { value } = await connection.page({ path });
  return Promise.all(
    value.map(async (message) => {
      const bytes = await connection.askBytes({ path: `/users/${user}/messages/${message['id']}/$value` });
      return { message, email: await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' }) };
    }),
  );
}

for (const [size, bytes] of [
  ['small', 70_000],
  ['of 9 MB', 9_000_000],
] as const) {
  test(`an attachment that is ${size} becomes a draft that carries it alone, once, to the byte`, async () => {
    const content = randomBytes(bytes);
    const { connection, object, item, part, user } = await bed(content);
    const order = { object, item, part, into: 'From the backup' };
    const result = await restoreAttachment(stored, connection, order, work);
    expect(result).toMatchObject({
      outcome: 'restored',
      subject: 'Attachment: Bericht für Grün.pdf',
      folder: 'From the backup',
      bytes,
    });
    expect(await restoreAttachment(stored, connection, order, work)).toMatchObject({ outcome: 'skipped', bytes: 0 });
    const [only, ...others] = await messagesIn(connection, user, 'From the backup');
    expect(others).toEqual([]);
    expect(only?.message).toMatchObject({ isDraft: true, isRead: false, toRecipients: [] });
    expect(textOf(only?.message['subject'])).toBe('Attachment: Bericht für Grün.pdf');
    expect(only?.email.text).toContain("attached to the message 'Offer'");
    expect(only?.email.attachments.map(({ filename }) => filename)).toEqual(['Bericht für Grün.pdf']);
    const [attachment] = only?.email.attachments ?? [];
    if (!(attachment?.content instanceof ArrayBuffer)) throw new Error('It has no bytes.');
    expect(Buffer.from(attachment.content).equals(content)).toBe(true);
  });
}

test('what is no attachment, not there, or to go into nobody is refused before anything is made', async () => {
  const { connection, object, item, part, user } = await bed(Buffer.from('x'));
  const order = { object, item, part };
  await expect(restoreAttachment(stored, connection, { ...order, part: 'mime' }, work)).rejects.toMatchObject({
    code: 'bad-request',
  });
  await expect(restoreAttachment(stored, connection, { ...order, part: 'attachment/9' }, work)).rejects.toMatchObject({
    code: 'not-found',
  });
  const elsewhere = { ...order, to: 'nobody@contoso.example' };
  await expect(restoreAttachment(stored, connection, elsewhere, work)).rejects.toMatchObject({ code: 'not-found' });
  const mailbox = openGraphTarget(connection).mailbox({ kind: 'mailbox', id: user });
  const folders = await mailbox.listFolders('mail-folder', work.signal);
  expect(folders.map(({ name }) => name)).not.toContain('Restored attachments');
});
