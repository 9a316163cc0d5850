import {
  downloadMailbox,
  downloadMailFolder,
  downloadMailItems,
  listMailboxFolders,
  listMailboxItems,
  listRestoreMailboxes,
  type MailboxItem,
  weighMailbox,
} from '@keepwatch/contract/restore/mailboxes';
import { isInstalled } from '@keepwatch/engine/testing/is-installed';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessionOf } from '../testing/bed-session.ts';
import { bytesOf, pstMails, readMails, sha256, zipFiles } from '../testing/read-files.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

/** The first bytes of every compound file, which an MSG is. */
const COMPOUND_FILE = 'd0cf11e0a1b11ae1';

const hasReadpst = isInstalled('readpst', 'pst-utils');
let bed: RestoreBed;
let caller: Caller;
let params: { restoreSessionId: string; mailboxId: string };
let inbox: { id: string; name: string };
let messages: MailboxItem[];

beforeAll(async () => {
  bed = await startRestoreBed({ users: 2 });
  caller = await bed.as('o365_admin');
  const restoreSessionId = await openSessionOf(bed, caller, 'vex');
  const { results } = (await caller.call(listRestoreMailboxes, { params: { restoreSessionId } })).data;
  params = { restoreSessionId, mailboxId: results.find(({ isArchive, isGroup }) => !isArchive && !isGroup)?.id ?? '' };
  const folders = (await caller.call(listMailboxFolders, { params, query: { limit: 50 } })).data.results;
  inbox = folders.find(({ category }) => category === 'inbox') ?? { id: '', name: '' };
  messages = (await caller.call(listMailboxItems, { params, query: { parentId: inbox.id, limit: 100 } })).data.results;
});
afterAll(() => bed.stop());

/** The bytes of a message as the tenant gives them out. */
const mimeOf = (id: string) => bed.connection.askBytes({ path: `/users/${params.mailboxId}/messages/${id}/$value` });

/** The messages of the tenant's mailbox that are in folders of the backup; of one, with all below it. */
async function mailsBelow(folder: string): Promise<Buffer[]> {
  const found: Promise<Buffer>[] = [];
  const { rows } = await bed.stored.catalog.findObjects({ kinds: ['mailbox'], limit: 100 });
  const mailbox = rows.find(({ id }) => id === params.mailboxId);
  if (mailbox === undefined) throw new Error('The mailbox was not backed up.');
  for await (const { id, kind } of bed.stored.catalog.walk(
    mailbox.key,
    mailbox.revision,
    folder === '' ? null : folder,
  ))
    if (kind === 'message') found.push(mimeOf(id));
  return Promise.all(found);
}

const idsOf = (mails: readonly { id: string }[]) => mails.map(({ id }) => id).toSorted();

const isMessageOf = (path: string) => path.endsWith('.eml');

it('a message is the bytes that the tenant has, as EML and in a ZIP', async () => {
  const [one, two] = messages;
  const items = [{ id: one?.id ?? '' }];
  const eml = await bytesOf(await caller.send(downloadMailItems, { params, body: { items, format: 'eml' } }));
  expect(sha256(eml)).toBe(sha256(await mimeOf(one?.id ?? '')));
  expect(readMails([eml])[0]?.subject).toBe(one?.subject);
  const both = { items: [...items, { id: two?.id ?? '' }], format: 'zip' as const };
  const zip = zipFiles(await bytesOf(await caller.send(downloadMailItems, { params, body: both })));
  const expected = await Promise.all([one, two].map(async (message) => sha256(await mimeOf(message?.id ?? ''))));
  expect([...zip.values()].toSorted()).toEqual(expected.toSorted());
});

it('a message is an MSG, alone and in a ZIP', async () => {
  const items = [{ id: messages[0]?.id ?? '' }];
  const msg = await bytesOf(await caller.send(downloadMailItems, { params, body: { items, format: 'msg' } }));
  expect(msg.subarray(0, 8).toString('hex')).toBe(COMPOUND_FILE);
  expect(msg.includes(Buffer.from(messages[0]?.subject ?? '', 'utf16le'))).toBe(true);
  const body = { items, format: 'zip', messagesAs: 'msg' } as const;
  const zip = zipFiles(await bytesOf(await caller.send(downloadMailItems, { params, body })));
  expect([...zip.keys()]).toEqual([expect.stringMatching(/\.msg$/)]);
});

it.skipIf(!hasReadpst)(
  'a folder is a PST that readpst reads, every message of it once',
  async () => {
    const folder = { ...params, folderId: inbox.id };
    const pst = await bytesOf(await caller.send(downloadMailFolder, { params: folder, body: {} }));
    const mails = pstMails(pst);
    expect(idsOf(mails)).toEqual(idsOf(readMails(await mailsBelow(inbox.id))));
    const subject = mails.find((mail) => /^\w{4,} \w.{0,80}$/.test(mail.subject))?.subject ?? '';
    const body = { contentKeyword: subject };
    const some = pstMails(await bytesOf(await caller.send(downloadMailFolder, { params: folder, body })));
    expect(some.map((mail) => mail.subject)).toContain(subject);
    expect(some.length).toBeLessThan(mails.length);
  },
  60_000,
);

it('a folder is a ZIP with the bytes of each message, of which as many are weighed', async () => {
  const folder = { ...params, folderId: inbox.id };
  const response = await caller.send(downloadMailFolder, { params: folder, body: { format: 'zip' } });
  const files = [...zipFiles(await bytesOf(response))].filter(([path]) => isMessageOf(path));
  expect(files.map(([, hash]) => hash).toSorted()).toEqual((await mailsBelow(inbox.id)).map(sha256).toSorted());
  const weight = (await caller.call(weighMailbox, { params, body: { parentId: inbox.id } })).data;
  // Folders are counted, too.
  expect(weight.items).toBeGreaterThanOrEqual(files.length);
});

it.skipIf(!hasReadpst)(
  'a mailbox is a PST and a ZIP with every message of every folder',
  async () => {
    const mails = await mailsBelow('');
    const pst = pstMails(await bytesOf(await caller.send(downloadMailbox, { params, body: {} })));
    expect(idsOf(pst)).toEqual(idsOf(readMails(mails)));
    const zip = zipFiles(await bytesOf(await caller.send(downloadMailbox, { params, body: { format: 'zip' } })));
    const hashes = [...zip].flatMap(([path, hash]) => (isMessageOf(path) ? [hash] : []));
    expect(hashes.toSorted()).toEqual(mails.map(sha256).toSorted());
  },
  60_000,
);
