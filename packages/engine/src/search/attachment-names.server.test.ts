import { afterEach, beforeEach, expect, test } from 'vitest';
import { folder, type GivenItem, json, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { SearchQuery } from '../catalog/catalog.ts';
import { indexWords } from './index-words.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());

function attachment(name: string, bytes: number): string[] {
  const lines =
    Buffer.alloc(bytes, name)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return [
    '--b',
    'Content-Type: application/pdf',
    `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
  ];
}

const message = (id: string, ...attachments: string[][]): GivenItem => ({
  id,
  kind: 'message',
  name: id,
  parentId: 'inbox',
  contents: {
    ...json({ subject: id }),
    mime: [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...['--b', '', 'Please see the attachment.'],
      ...attachments.flat(),
      '--b--',
      '',
    ].join('\r\n'),
  },
});

test('finds mail by the names of its attachments, also behind other attachments of any size', async () => {
  await stored.backUp(MAILBOX, [
    folder('inbox', 'mail-folder', 'Inbox'),
    message('small', attachment('Angebot-2026.pdf', 500)),
    message('korean', attachment('Teams회의록.pdf', 500)),
    message('large', attachment('video.mp4', 900_000), attachment('Turbine.pdf', 500)),
    message('many', ...[1, 2, 3, 4, 5].map((at) => attachment(`part${at}.bin`, 150_000)), attachment('Zuletzt.pdf', 9)),
    {
      id: 'event',
      kind: 'event',
      name: 'Review',
      contents: json({ subject: 'Review', attachments: [{ name: 'Agenda.docx' }] }),
    },
  ]);
  await indexWords(stored.repository, stored.catalog);
  const found = async (query: Omit<SearchQuery, 'limit'>) =>
    (await stored.catalog.search({ ...query, limit: 10 })).hits.map(({ version }) => version.id);
  expect(await found({ text: 'angebot' })).toEqual(['small']);
  expect(await found({ fileName: 'Angebot-2026.pdf' })).toEqual(['small']);
  expect(await found({ subject: 'angebot' })).toEqual([]);
  expect(await found({ text: '회의록' })).toEqual(['korean']);
  expect(await found({ fileName: 'turbine' })).toEqual(['large']);
  expect(await found({ fileName: 'zuletzt' })).toEqual(['many']);
  expect(await found({ fileName: 'agenda' })).toEqual(['event']);
});
