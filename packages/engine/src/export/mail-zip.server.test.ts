import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import MsgReaderModule from '@kenjiuno/msgreader';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DRIVE, folder, type GivenItem, json, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { exportMailZip } from './mail-zip.ts';
import { unzipped } from './testing/unzipped.ts';

const MsgReader = 'default' in MsgReaderModule ? MsgReaderModule.default : MsgReaderModule;

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());

const AT = { dateTime: '2026-11-20T10:00:00', timeZone: 'UTC' };
const MIME = 'From: ada@contoso.example\r\nSubject: Offer 1/2\r\n\r\nDear Bob\r\n';
const message = (id: string, name: string, parentId: string): GivenItem => ({
  id,
  kind: 'message',
  name,
  parentId,
  contents: { ...json({ subject: name }), mime: MIME },
});
const ITEMS: readonly GivenItem[] = [
  folder('inbox', 'mail-folder', 'Inbox', 'inbox'),
  folder('offers', 'mail-folder', 'Offers', undefined, 'inbox'),
  message('m1', 'Offer 1/2', 'offers'),
  message('m2', 'Offer 1/2', 'offers'),
  message('m3', '', 'inbox'),
  folder('calendar', 'calendar', 'Calendar', 'default'),
  {
    id: 'e',
    kind: 'event',
    name: 'Review',
    parentId: 'calendar',
    contents: json({ subject: 'Review', start: AT, end: AT }),
  },
];

async function exported(format: 'eml' | 'msg', items: readonly string[] | null = null) {
  const scope = { ...(await stored.backUp(MAILBOX, ITEMS)), items };
  const { repository, catalog } = stored;
  const path = stored.file('mail.zip');
  const parts = { repository, catalog, signal: new AbortController().signal };
  const result = await exportMailZip(parts, scope, path, format);
  const left = (await readdir(dirname(path))).filter((name) => name.includes('.msg'));
  return { result, left, all: unzipped(path) };
}

test('contains a mailbox as EML to the byte, what is no message as MSG, and counts changed names', async () => {
  const { result, left, all } = await exported('eml');
  expect([...all.keys()].sort()).toEqual(
    [
      'Inbox/',
      'Inbox/(without a name).eml',
      'Inbox/Offers/',
      'Inbox/Offers/Offer 1_2.eml',
      'Inbox/Offers/Offer 1_2 (2).eml',
      'Calendar/',
      'Calendar/Review.msg',
    ].sort(),
  );
  expect(all.get('Inbox/Offers/Offer 1_2.eml')?.toString()).toBe(MIME);
  expect(result).toMatchObject({ items: 4, missing: [], renamed: 2 });
  expect(left).toEqual([]);
});

test('contains a folder as MSG that another reader opens', async () => {
  const { all } = await exported('msg', ['offers']);
  const names = [...all.keys()].filter((name) => name.endsWith('.msg'));
  expect(names).toHaveLength(2);
  const bytes = all.get(names[0] ?? '') ?? Buffer.alloc(0);
  const { subject, body } = new MsgReader(new Uint8Array(bytes).buffer).getFileData();
  expect([subject, body?.trim()]).toEqual(['Offer 1/2', 'Dear Bob']);
});

test('is refused for a drive', async () => {
  const scope = { ...(await stored.backUp(DRIVE, [])), items: null };
  const { repository, catalog } = stored;
  const parts = { repository, catalog, signal: new AbortController().signal };
  await expect(exportMailZip(parts, scope, stored.file('x.zip'), 'eml')).rejects.toMatchObject({
    code: 'bad-request',
  });
});
