import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';

const immutable = { prefer: 'IdType="ImmutableId"' };
let tenant: RunningTenant;
let client: TenantClient;
let base: string;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', budgets: false, now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  const user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox);
  base = `/users/${user?.userPrincipalName}`;
});
afterAll(() => tenant.stop());

const idOf = (body: unknown) => textOf(valueAt(body, 'id')) ?? '';

async function createFolder(displayName: string): Promise<string> {
  return idOf((await client.ask('POST', `${base}/mailFolders`, { displayName })).body);
}

const createMime = (folder: string, mime: string | Buffer) =>
  client.ask('POST', `${base}/mailFolders/${folder}/messages`, Buffer.from(mime).toString('base64'), {
    'content-type': 'text/plain',
  });

describe('a folder of messages', () => {
  test('is drained page by page, each message once, ten a page unless asked', async () => {
    const { body } = await client.get(`${base}/mailFolders/inbox`);
    const { value, pages } = await client.drain(`${base}/mailFolders/inbox/messages`);
    expect(value.length).toBe(valueAt(body, 'totalItemCount'));
    expect(new Set(value.map(({ id }) => id)).size).toBe(value.length);
    expect(pages).toBe(Math.ceil(value.length / 10));
    expect((await client.drain(`${base}/mailFolders/inbox/messages?$top=30`)).pages).toBe(2);
  });

  test('counts what is unread as the messages themselves say', async () => {
    const { body } = await client.get(`${base}/mailFolders/inbox`);
    const { value } = await client.drain(`${base}/mailFolders/inbox/messages?$filter=isRead eq false&$top=999`);
    expect(value.length).toBe(valueAt(body, 'unreadItemCount'));
    expect(value.length).toBeGreaterThan(0);
  });

  test('gives of every message MIME that is the same twice', async () => {
    const { value } = await client.drain(`${base}/mailFolders/inbox/messages?$top=999&$select=subject`);
    for (const { id } of value) {
      const [one, other] = await Promise.all([1, 2].map(() => client.get(`${base}/messages/${id}/$value`)));
      expect(one?.status).toBe(200);
      expect(one?.bytes.equals(other?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  });
});

describe('a message made of MIME', () => {
  const mime = [
    'From: =?utf-8?B?WsO2ZQ==?= <zoe@partner.example>',
    'To: "Ada, L." <ada@contoso.onmicrosoft.com>, bob@partner.example',
    'Subject: =?iso-8859-1?Q?Gr=FC=DFe?= aus =?utf-8?B?5p2x5Lqs?=',
    'Date: Tue, 03 Feb 2026 10:11:12 +0100',
    'Message-ID: <one@partner.example>',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Hello</p>',
    '--b',
    'Content-Type: application/pdf; name="a.pdf"',
    'Content-Disposition: attachment; filename="a.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    'AAECAw==',
    '--b--',
    '',
  ].join('\r\n');

  test('is read into properties, and is returned byte by byte as it was sent', async () => {
    const { status, body } = await createMime('inbox', mime);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      subject: 'Grüße aus 東京',
      isDraft: true,
      from: { emailAddress: { name: 'Zöe', address: 'zoe@partner.example' } },
      toRecipients: [
        { emailAddress: { name: 'Ada, L.', address: 'ada@contoso.onmicrosoft.com' } },
        { emailAddress: { address: 'bob@partner.example' } },
      ],
      sentDateTime: '2026-02-03T09:11:12Z',
      internetMessageId: '<one@partner.example>',
      hasAttachments: true,
    });
    const value = await client.get(`${base}/messages/${idOf(body)}/$value`);
    expect(value.bytes.toString()).toBe(mime);
    const attachments = await client.get(`${base}/messages/${idOf(body)}/attachments`);
    expect(objectsOf(valueAt(attachments.body, 'value'))).toMatchObject([
      { '@odata.type': '#microsoft.graph.fileAttachment', name: 'a.pdf', contentBytes: 'AAECAw==' },
    ]);
  });

  test.each(['', 'no mail at all', '\u0000\u0001', 'Content-Type: multipart/mixed; boundary=x\n\n--x\n'])(
    'is accepted whatever it is, and is returned as it was sent: %j',
    async (text) => {
      const raw = Buffer.from(`${text}\n`, 'latin1');
      const { status, body } = await createMime('drafts', raw);
      expect(status).toBe(201);
      expect((await client.get(`${base}/messages/${idOf(body)}/$value`)).bytes).toEqual(raw);
    },
  );

  test('is refused when it is no base64', async () => {
    const answer = await client.ask('POST', `${base}/messages`, 'ä!', { 'content-type': 'text/plain' });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'ErrorMimeContentInvalidBase64String' } } });
  });
});

describe('a message made of JSON', () => {
  test('keeps flags and times as an importer sets them', async () => {
    const { status, body } = await client.ask('POST', `${base}/mailFolders/inbox/messages`, {
      subject: 'Restored',
      body: { contentType: 'html', content: '<b>back</b>' },
      from: { emailAddress: { name: 'Old', address: 'old@partner.example' } },
      toRecipients: [{ emailAddress: { address: 'ada@contoso.onmicrosoft.com' } }],
      categories: ['Red category'],
      importance: 'high',
      flag: { flagStatus: 'flagged' },
      internetMessageHeaders: [{ name: 'X-Custom', value: 'yes' }],
      singleValueExtendedProperties: [
        { id: 'Integer 0x0E07', value: '1' },
        { id: 'SystemTime 0x0E06', value: '2019-05-06T07:08:09Z' },
        { id: 'SystemTime 0x0039', value: '2019-05-06T07:08:00Z' },
        { id: 'String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Origin', value: 'backup' },
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      isDraft: false,
      isRead: true,
      receivedDateTime: '2019-05-06T07:08:09Z',
      sentDateTime: '2019-05-06T07:08:00Z',
      importance: 'high',
      flag: { flagStatus: 'flagged' },
      bodyPreview: 'back',
    });
    const expand = encodeURIComponent(
      "singleValueExtendedProperties($filter=id eq 'Integer 0x0E07' or id eq 'String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Origin')",
    );
    const again = await client.get(`${base}/messages/${idOf(body)}?$expand=${expand}`);
    expect(objectsOf(valueAt(again.body, 'singleValueExtendedProperties'))).toEqual([
      { id: 'Integer 0xe07', value: '1' },
      { id: 'String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Origin', value: 'backup' },
    ]);
    const mime = (await client.get(`${base}/messages/${idOf(body)}/$value`)).bytes.toString();
    expect(mime).toContain('X-Custom: yes');
    expect(mime).toContain('Subject: Restored');
  });

  test('returns the size of a message with its files when it is requested', async () => {
    const small = await client.ask('POST', `${base}/messages`, { subject: 'small' });
    const file = { '@odata.type': '#microsoft.graph.fileAttachment', name: 'a', contentBytes: 'A'.repeat(400_000) };
    const large = await client.ask('POST', `${base}/messages`, { subject: 'large', attachments: [file] });
    const expand = encodeURIComponent("singleValueExtendedProperties($filter=id eq 'Integer 0x0E08')");
    const sizeOf = async ({ body }: typeof small) => {
      const again = await client.get(`${base}/messages/${idOf(body)}?$expand=${expand}`);
      return Number(objectsOf(valueAt(again.body, 'singleValueExtendedProperties'))[0]?.['value']);
    };
    expect(await sizeOf(small)).toBeGreaterThan(0);
    expect((await sizeOf(large)) - (await sizeOf(small))).toBe(300_000);
  });

  test('is a draft by default; what is sent is changed in its marks alone', async () => {
    const draft = await client.ask('POST', `${base}/messages`, { subject: 'a' });
    expect(draft.body).toMatchObject({ isDraft: true });
    expect(await client.ask('PATCH', `${base}/messages/${idOf(draft.body)}`, { subject: 'b' })).toMatchObject({
      status: 200,
      body: { subject: 'b' },
    });
    const [sent] = (await client.drain(`${base}/mailFolders/inbox/messages?$filter=isDraft eq false&$top=1`)).value;
    expect((await client.ask('PATCH', `${base}/messages/${sent?.['id']}`, { subject: 'b' })).status).toBe(400);
    expect(await client.ask('PATCH', `${base}/messages/${sent?.['id']}`, { isRead: true })).toMatchObject({
      status: 200,
      body: { isRead: true },
    });
  });

  test('is not changed over the change of another client', async () => {
    const { body } = await client.ask('POST', `${base}/messages`, { subject: 'a' });
    const path = `${base}/messages/${idOf(body)}`;
    const etag = textOf(valueAt(body, '@odata.etag')) ?? '';
    expect((await client.ask('PATCH', path, { subject: 'b' }, { 'if-match': etag })).status).toBe(200);
    expect((await client.ask('PATCH', path, { subject: 'c' }, { 'if-match': etag })).status).toBe(412);
  });
});

describe('an id', () => {
  test('changes with a move, while an immutable one stays', async () => {
    const folder = await createFolder('Ids');
    const { body } = await createMime('inbox', 'Subject: x\r\n\r\n');
    const original = await client.get(`${base}/messages/${idOf(body)}`, immutable);
    expect(idOf(original.body)).not.toBe(idOf(body));
    const move = { destinationId: folder };
    const moved = await client.ask('POST', `${base}/messages/${idOf(body)}/move`, move);
    expect(moved.status).toBe(201);
    expect(idOf(moved.body)).not.toBe(idOf(body));
    expect((await client.get(`${base}/messages/${idOf(body)}`)).status).toBe(404);
    expect((await client.get(`${base}/messages/${idOf(moved.body)}`)).status).toBe(200);
    const found = await client.get(`${base}/messages/${idOf(original.body)}`, immutable);
    expect(found.body).toMatchObject({ id: idOf(original.body), parentFolderId: folder });
  });

  test.each([['nonsense', 400, 'ErrorInvalidIdMalformed']])('that is %s is refused', async (id, status, code) => {
    expect(await client.get(`${base}/messages/${id}`)).toMatchObject({ status, body: { error: { code } } });
  });

  test('of another mailbox is unknown', async () => {
    const { body } = await createMime('inbox', 'Subject: x\r\n\r\n');
    const other = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox)[1]?.id;
    expect((await client.get(`/users/${other}/messages/${idOf(body)}`)).status).toBe(404);
  });
});

test('a message is deleted in three steps: to Deleted Items, out of sight, for good', async () => {
  const { body } = await createMime('inbox', 'Subject: x\r\n\r\n');
  const path = `${base}/messages/${idOf((await client.get(`${base}/messages/${idOf(body)}`, immutable)).body)}`;
  for (const folder of ['deleteditems', 'recoverableitemsdeletions']) {
    expect((await client.ask('DELETE', path)).status).toBe(204);
    const parent = await client.get(`${base}/mailFolders/${folder}`);
    expect((await client.get(path, immutable)).body).toMatchObject({ parentFolderId: idOf(parent.body) });
  }
  expect((await client.ask('DELETE', path)).status).toBe(204);
  expect(await client.get(path)).toMatchObject({ status: 404, body: { error: { code: 'ErrorItemNotFound' } } });
});

test('a copy is another message with the same content', async () => {
  const { body } = await createMime('inbox', 'Subject: copied\r\n\r\nx');
  const copy = await client.ask('POST', `${base}/messages/${idOf(body)}/copy`, { destinationId: 'archive' });
  expect(copy).toMatchObject({ status: 201, body: { subject: 'copied' } });
  expect(idOf(copy.body)).not.toBe(idOf(body));
});
