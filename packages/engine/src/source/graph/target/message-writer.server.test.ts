import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { mailboxOf } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { observedSend } from '../../../testing/observed-send.ts';
import type { MailboxTarget, NewItem } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { openGraphSource } from '../graph-source.ts';
import type { JsonObject } from '../json.ts';
import { SINGLE } from '../mailbox/mailbox-paths.ts';
import { openGraphTarget } from './graph-target.ts';

const { signal } = new AbortController();
let tenant: RunningTenant;
let connection: GraphConnection;
let target: MailboxTarget;
let user: string;
let inbox: string;
/** Called after a request was carried out and before its answer arrives; what it throws loses the answer. */
let onAnswer: (url: string, method: string) => void;

beforeEach(async () => {
  onAnswer = () => undefined;
  const send = observedSend(({ url, method }) => onAnswer(url, method));
  ({ tenant, connection } = await startConnected({ budgets: false }, { send }));
  user = (await mailboxOf(openGraphSource(connection))).id;
  target = openGraphTarget(connection).mailbox({ kind: 'mailbox', id: user });
  inbox = (await target.listFolders('mail-folder', signal)).find(({ role }) => role === 'inbox')?.id ?? '';
});
afterEach(() => tenant.stop());

const lines = (...parts: readonly string[]) => Buffer.from(parts.join('\r\n'), 'latin1');
const HEAD = [
  'From: a@x.example',
  'To: b@x.example',
  'Date: Sun, 27 Apr 2025 10:06:18 +0000',
  'Message-ID: <1@x.example>',
];
const PROPERTIES = {
  subject: 'S',
  isDraft: false,
  isRead: true,
  internetMessageId: '<1@x.example>',
  receivedDateTime: '2025-04-27T10:06:30Z',
  sentDateTime: '2025-04-27T10:06:18Z',
  categories: ['Red'],
  flag: { flagStatus: 'flagged' },
};

const MIXED = lines(
  ...HEAD,
  'Subject: S',
  'X-Own: unchanged',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: multipart/alternative; boundary=c',
  '',
  '--c',
  'Content-Type: text/plain',
  '',
  'PLAIN alternative',
  '--c',
  'Content-Type: text/html',
  '',
  '<p>HTML alternative</p>',
  '--c--',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'From: inner@x.example',
  'Subject: INNER',
  'Content-Type: text/plain',
  '',
  'inner body',
  '--b--',
  '',
);

const signed = (size: number) =>
  lines(
    ...HEAD,
    'Subject: S',
    'MIME-Version: 1.0',
    'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary="s"',
    '',
    '--s',
    'Content-Type: text/plain',
    '',
    'x'.repeat(size),
    '--s--',
    '',
  );

function messageOf(mime: Buffer, properties: JsonObject = PROPERTIES): NewItem {
  const content = {
    name: 'mime' as const,
    sizeBytes: mime.length,
    async *open() {
      yield mime;
    },
  };
  return { kind: 'message', properties, contents: [content] };
}

const pathOf = (id: string) => `/users/${user}/messages/${encodeURIComponent(id)}`;
const mimeOf = (id: string) => connection.askBytes({ path: `${pathOf(id)}/$value`, headers: SINGLE });
const messageNow = (id: string) => connection.ask({ path: pathOf(id), headers: SINGLE });
const ids = async () => (await target.find(inbox, messageOf(MIXED), signal)).map(({ id }) => id);

describe('A message that is written without an import', () => {
  test.each([
    ['with alternatives and a message within', MIXED],
    ['that is signed', signed(10)],
    ['that is larger than one page of memory', signed(1_000_000)],
  ])('keeps every byte: one %s', async (_, mime) => {
    const { id, losses } = await target.create(inbox, messageOf(mime), signal);
    expect((await mimeOf(id)).equals(mime)).toBe(true);
    const { receivedDateTime, sentDateTime, categories, flag, isRead } = PROPERTIES;
    expect(await messageNow(id)).toMatchObject({ receivedDateTime, sentDateTime, categories, flag, isRead });
    expect(losses).toEqual(['the mark that it was sent: it is a draft']);
  });

  test('loses nothing when it was a draft', async () => {
    const { losses } = await target.create(inbox, messageOf(MIXED, { ...PROPERTIES, isDraft: true }), signal);
    expect(losses).toEqual([]);
  });

  test('gets the id it is found by, and its blind copies, where its MIME has none, and says so', async () => {
    const bare = lines('From: a@x.example', 'Subject: S', '', 'Body');
    const bccRecipients = [{ emailAddress: { name: 'c@x.example', address: 'c@x.example' } }];
    const { id, losses } = await target.create(inbox, messageOf(bare, { ...PROPERTIES, bccRecipients }), signal);
    expect((await mimeOf(id)).toString()).toBe(`Message-ID: <1@x.example>\r\nBcc: <c@x.example>\r\n${bare}`);
    expect(await ids()).toEqual([id]);
    expect(losses).toContain('its header as it was: fields that the mailbox knew were added');
    expect(losses.some((loss) => /recipients|message id/.test(loss))).toBe(false);
  });

  test('names what the mailbox did not take', async () => {
    const toRecipients = [{ emailAddress: { name: 'Another', address: 'other@x.example' } }];
    const { losses } = await target.create(
      inbox,
      messageOf(MIXED, { ...PROPERTIES, subject: 'Other', toRecipients }),
      signal,
    );
    expect(losses).toEqual(expect.arrayContaining(['its subject', 'some recipients']));
  });

  test('begins among the drafts where a folder takes no MIME, and goes to its own', async () => {
    tenant.setFaults([
      {
        path: '/users/*/mailFolders/*/messages',
        method: 'POST',
        kind: 'server-error',
        parameters: { status: 400, code: 'UnableToDeserializePostBody' },
      },
    ]);
    const { id } = await target.create(inbox, messageOf(MIXED), signal);
    expect(await messageNow(id)).toMatchObject({ parentFolderId: inbox });
    expect((await mimeOf(id)).equals(MIXED)).toBe(true);
  });

  test('too large for one request is made of its parts, with messages within it as files, and says so', async () => {
    const large = Buffer.alloc(4_000_000, 'a').toString('base64').replace(/.{76}/g, '$&\r\n');
    const file = [
      'Content-Type: application/octet-stream; name=large.bin',
      'Content-Transfer-Encoding: base64',
      '',
      large,
    ];
    const end = MIXED.lastIndexOf('--b--');
    const mime = Buffer.concat([MIXED.subarray(0, end), lines('--b', ...file, '--b--', '')]);
    const { id, losses } = await target.create(inbox, messageOf(mime), signal);
    const { value } = await connection.page({ path: `${pathOf(id)}/attachments`, headers: SINGLE });
    expect(value.map(({ name }) => name)).toEqual(expect.arrayContaining(['large.bin']));
    expect(value).toHaveLength(2);
    expect(JSON.stringify((await messageNow(id))['body'])).not.toContain('inner body');
    expect(await messageNow(id)).toMatchObject({ isDraft: false, isRead: true });
    expect(losses).toEqual(
      expect.arrayContaining([
        expect.stringContaining('rebuilt from its parts'),
        'its plain text beside the HTML',
        'messages attached as such: they are files',
      ]),
    );
  });

  test.each([1, 2])('has a large attachment once although the answer to its part %i was lost', async (lost) => {
    const file = ['Content-Type: application/octet-stream; name=large.bin', 'Content-Transfer-Encoding: base64', ''];
    const bytes = Buffer.alloc(5_000_000, 'b').toString('base64').replace(/.{76}/g, '$&\r\n');
    const mime = lines(...HEAD, 'MIME-Version: 1.0', ...file, bytes);
    let parts = 0;
    onAnswer = (url, method) => {
      if (method !== 'PUT' || !url.includes('/attachments/')) return;
      parts += 1;
      if (parts === lost) throw new TypeError('The answer was lost.');
    };
    const { id } = await target.create(inbox, messageOf(mime), signal);
    expect(parts).toBe(3);
    const { value } = await connection.page({ path: `${pathOf(id)}/attachments`, headers: SINGLE });
    expect(value.map(({ name }) => name)).toEqual(['large.bin']);
  });

  test('signed and too large is refused rather than broken', async () => {
    await expect(target.create(inbox, messageOf(signed(3_500_000)), signal)).rejects.toThrow(/signed or encrypted/);
    expect(await ids()).toEqual([]);
  });
});

describe('Large messages', () => {
  test('are read one at a time, however many are written at once', async () => {
    const mime = signed(40_000_000);
    let [reading, most] = [0, 0];
    const slowly = (item: NewItem): NewItem => ({
      ...item,
      contents: item.contents.map((content) => ({
        ...content,
        async *open() {
          reading += 1;
          most = Math.max(most, reading);
          for (let start = 0; start < mime.length; start += 4_000_000) {
            await new Promise((resolve) => setImmediate(resolve));
            yield mime.subarray(start, start + 4_000_000);
          }
          reading -= 1;
        },
      })),
    });
    const all = Array.from({ length: 4 }, () => target.create(inbox, slowly(messageOf(mime)), signal));
    for (const { status } of await Promise.allSettled(all)) expect(status).toBe('rejected');
    expect(most).toBe(1);
  });
});

describe('A message that is replaced without an import', () => {
  test('is exactly the stored one when a draft was edited since, and no second one stays', async () => {
    const draft = messageOf(MIXED, { ...PROPERTIES, isDraft: true });
    const { id } = await target.create(inbox, draft, signal);
    const body = { body: { contentType: 'text', content: 'DESTROYED' }, subject: 'Destroyed' };
    await connection.ask({ method: 'PATCH', path: pathOf(id), headers: SINGLE, body });
    const made = await target.replace(inbox, id, draft, signal);
    expect(made.losses).toEqual([]);
    expect(await ids()).toEqual([made.id]);
    expect((await mimeOf(made.id)).equals(MIXED)).toBe(true);
  });

  test('keeps the edited draft while the stored one cannot be written', async () => {
    const draft = messageOf(MIXED, { ...PROPERTIES, isDraft: true });
    const { id } = await target.create(inbox, draft, signal);
    tenant.setFaults([{ path: '/users/*essages', method: 'POST', kind: 'server-error', parameters: { status: 400 } }]);
    await expect(target.replace(inbox, id, draft, signal)).rejects.toThrow();
    expect(await ids()).toEqual([id]);
  });

  test('gets its flags back when it was sent and says what it said', async () => {
    const content = '<p>One &amp; two</p>';
    const body = {
      subject: 'S',
      internetMessageId: PROPERTIES.internetMessageId,
      body: { contentType: 'html', content },
      singleValueExtendedProperties: [{ id: 'Integer 0x0E07', value: '1' }],
    };
    const path = `/users/${user}/mailFolders/${inbox}/messages`;
    const { id } = await connection.ask({ method: 'POST', path, headers: SINGLE, body });
    const whole = lines(...HEAD.slice(3), 'Subject: S', 'Content-Type: text/html', '', content);
    const stored = { ...(await messageNow(String(id))), ...PROPERTIES };
    const { losses } = await target.replace(inbox, String(id), messageOf(whole, stored), signal);
    expect(await messageNow(String(id))).toMatchObject({ isDraft: false, categories: ['Red'], flag: PROPERTIES.flag });
    expect(losses).not.toContain('the mark that it was sent: it is a draft');
    const other = lines(...HEAD.slice(3), 'Subject: S', 'Content-Type: text/html', '', '<p>One and three</p>');
    await expect(target.replace(inbox, String(id), messageOf(other, stored), signal)).rejects.toThrow(/Keep both/);
  });
});
