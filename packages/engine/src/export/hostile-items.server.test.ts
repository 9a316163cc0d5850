import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type GivenItem, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { indexWords } from '../search/index-words.ts';
import { exportEml, exportMsg } from './outlook-file.ts';
import { exportPst } from './pst-export.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());

const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal: new AbortController().signal });

const HEAD = 'From: a@b.example\r\nTo: c@d.example\r\nSubject: Hostile\r\nMIME-Version: 1.0\r\n';
const nested = (depth: number) =>
  Array.from({ length: depth }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`).join(
    '',
  );
const attachment = (name: string) =>
  `--b\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nx\r\n`;

/** What any sender of mail can send, and what must not stop an export. */
const MAILS: Readonly<Record<string, string>> = {
  'parts within parts, 1,000 deep': `${HEAD}${nested(1_000)}Content-Type: text/plain\r\n\r\ndeep`,
  'messages within messages, 200 deep': `${HEAD}${'Content-Type: message/rfc822\r\n\r\nSubject: in\r\n'.repeat(200)}\r\ndeep`,
  '3,000 attachments': `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${attachment('a.txt').repeat(3_000)}--b--`,
  'a line of a megabyte in its header': `${HEAD}X-Long: ${'a'.repeat(1_048_576)}\r\n\r\ntext`,
  '5,000 lines of header': `${HEAD}${'X-Many: 1\r\n'.repeat(5_000)}\r\ntext`,
  '2,000 recipients': `${HEAD}Cc: ${Array.from({ length: 2_000 }, (_, at) => `p${at}@x.example`).join(',\r\n ')}\r\n\r\ntext`,
  'base64 that is none': `${HEAD}Content-Transfer-Encoding: base64\r\n\r\n${'?=\0'.repeat(50_000)}`,
  'a charset that is unknown': `${HEAD}Content-Type: text/plain; charset="../../x"\r\n\r\n\xff\xfe\x00`,
  'names that lead elsewhere': `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${['../../etc/passwd', 'C:\\\\x', 'CON', '..', 'n'.repeat(4_000)].map(attachment).join('')}--b--`,
  'no header at all': '\r\n',
  nothing: '',
};

describe('A mailbox with what hostile people send', () => {
  test('is backed up, found and exported: each mail is in the file or named, and the others are whole', async () => {
    const inbox: GivenItem = { id: 'inbox', kind: 'mail-folder', name: 'Inbox', contents: { properties: '{}' } };
    const mails = Object.entries(MAILS).map(
      ([name, mime]): GivenItem => ({
        id: name,
        kind: 'message',
        name,
        parentId: 'inbox',
        contents: { properties: '{}', mime: Buffer.from(mime, 'latin1') },
      }),
    );
    const good: GivenItem = {
      id: 'good',
      kind: 'message',
      name: 'Good',
      parentId: 'inbox',
      contents: { properties: '{}', mime: `${HEAD}\r\nzebra` },
    };
    const { object, revision } = await stored.backUp(MAILBOX, [inbox, ...mails, good]);
    expect(await indexWords(stored.repository, stored.catalog)).toBe(mails.length + 2);
    expect((await stored.catalog.search({ text: 'zebra', limit: 5 })).hits.map(({ version }) => version.id)).toEqual([
      'good',
    ]);

    const result = await exportPst(parts(), { object, revision, items: null }, stored.file('mailbox.pst'));
    expect(result.items + result.missing.length).toBe(mails.length + 1);
    expect(result.missing.map(({ name }) => name)).not.toContain('Good');
    for (const { reason } of result.missing) expect(reason).not.toMatch(/^(?:Unexpected|undefined)/);

    for (const [name, mime] of Object.entries(MAILS)) {
      const item = await stored.catalog.item(object.key, revision, name);
      if (item === null) throw new Error(name);
      const eml = stored.file('item.eml');
      await exportEml(parts(), item, eml);
      expect((await readFile(eml)).equals(Buffer.from(mime, 'latin1')), name).toBe(true);
      await exportMsg(parts(), item, stored.file('item.msg')).catch((error: unknown) =>
        expect(error).toHaveProperty('code'),
      );
    }
    const left = (await readdir(stored.folder)).filter((name) => !/\.(?:pst|eml|msg)$|^repository$/.test(name));
    expect(left).toEqual([]);
  });
});
