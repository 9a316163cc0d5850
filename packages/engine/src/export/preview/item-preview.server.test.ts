import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DRIVE, type GivenItem, json, MAILBOX } from '../../browse/testing/list-source.ts';
import { StoredBackup } from '../../browse/testing/stored-backup.ts';
import { openPicture, preview } from '../../engine.ts';
import type { ProtectedObject } from '../../model/protected-object.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());
const { signal } = new AbortController();

async function orderOf(of: ProtectedObject, given: GivenItem) {
  const { object, revision } = await stored.backUp(of, [given]);
  const item = await stored.catalog.item(object.key, revision, given.id);
  if (item === null) throw new Error('It was not stored.');
  return { object, item };
}

const file = (name: string, bytes: string | Buffer, more: Partial<GivenItem['contents']> = {}): GivenItem => ({
  id: 'f',
  kind: 'file',
  name,
  details: { from: 'Ada <ada@contoso.example>', contentType: 'application/octet-stream' },
  contents: { ...json({}), file: bytes, ...more },
});

const factsIn = ({ facts }: Awaited<ReturnType<typeof preview>>) =>
  Object.fromEntries(facts.map(({ name, value }) => [name, value]));

test('a file is shown as text whatever it calls itself, with size, hash, dates and who changed it', async () => {
  const html = '<script>alert(1)</script>Grüße';
  const shown = await preview(stored, await orderOf(DRIVE, file('page.html', html)), signal);
  expect(shown).toMatchObject({ subject: 'page.html', text: html, html: null, picture: null, isCut: false });
  expect(factsIn(shown)).toEqual({
    'Modified by': 'Ada <ada@contoso.example>',
    Modified: '2026-11-20T10:00:00.000Z',
    Size: String(Buffer.byteLength(html)),
    'Content type': 'application/octet-stream',
    'SHA-256': createHash('sha256').update(html).digest('hex'),
  });
});

test('a text of two megabytes is cut, in UTF-16 as in UTF-8, and a binary file is no text', async () => {
  const utf16 = await orderOf(DRIVE, file('a.csv', Buffer.from(`\ufeff${'ä;1\n'.repeat(500_000)}`, 'utf16le')));
  const long = await preview(stored, utf16, signal);
  expect([long.text?.length, long.isCut, long.text?.slice(0, 4)]).toEqual([200_000, true, 'ä;1\n']);
  const office = await preview(stored, await orderOf(DRIVE, file('a.docx', Buffer.from('PK\x03\x04\x00\x00'))), signal);
  expect(office).toMatchObject({ text: null, html: null, picture: null, isCut: false });
  expect(factsIn(office)['SHA-256']).toHaveLength(64);
});

test('an earlier version of a file is shown by its part', async () => {
  const order = await orderOf(DRIVE, file('a.txt', 'second', { 'versions/1.0': 'first' }));
  expect((await preview(stored, { ...order, part: 'versions/1.0' }, signal)).text).toBe('first');
  await expect(preview(stored, { ...order, part: 'versions/9.0' }, signal)).rejects.toMatchObject({
    code: 'not-found',
  });
});

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

test('a picture is one by its bytes alone: a program that calls itself a picture is not given as one', async () => {
  const order = await orderOf(DRIVE, file('logo.bin', PNG));
  expect((await preview(stored, order, signal)).picture).toBe('file');
  expect(await openPicture(stored, order.item, 'file', signal)).toEqual({
    name: 'logo.bin',
    type: 'image/png',
    bytes: PNG,
  });
  const svg = await orderOf(DRIVE, file('logo.png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
  expect(await preview(stored, svg, signal)).toMatchObject({ picture: null, html: null });
  await expect(openPicture(stored, svg.item, 'file', signal)).rejects.toMatchObject({ code: 'bad-request' });
});

test('an event says when, where and with whom', async () => {
  const shown = await preview(
    stored,
    await orderOf(MAILBOX, {
      id: 'e',
      kind: 'event',
      name: 'Review',
      contents: json({
        subject: 'Review',
        start: { dateTime: '2026-11-20T09:00:00.0000000', timeZone: 'UTC' },
        end: { dateTime: '2026-11-20T10:00:00.0000000', timeZone: 'UTC' },
        location: { displayName: 'Room 4' },
        organizer: { emailAddress: { name: 'Ada', address: 'ada@contoso.example' } },
        attendees: [
          {
            type: 'optional',
            status: { response: 'declined' },
            emailAddress: { name: 'Bob', address: 'bob@contoso.example' },
          },
        ],
        body: { contentType: 'html', content: '<p>Agenda<script>alert(1)</script></p>' },
      }),
    }),
    signal,
  );
  expect(shown.html).toBe('<p>Agenda</p>');
  expect(factsIn(shown)).toMatchObject({
    Starts: '2026-11-20T09:00:00.000Z',
    Ends: '2026-11-20T10:00:00.000Z',
    Location: 'Room 4',
    Organizer: 'Ada <ada@contoso.example>',
    Attendees: 'Bob <bob@contoso.example> (optional, declined)',
  });
});

test('a contact says how the person is reached', async () => {
  const properties = {
    displayName: 'Bob Marsh',
    jobTitle: 'Buyer',
    emailAddresses: [{ name: 'Bob', address: 'bob@contoso.example' }],
    businessPhones: ['+49 30 1', '+49 30 2'],
    homeAddress: { street: 'Ring 1', postalCode: '10115', city: 'Berlin' },
  };
  const order = await orderOf(MAILBOX, { id: 'c', kind: 'contact', name: 'Bob Marsh', contents: json(properties) });
  expect(factsIn(await preview(stored, order, signal))).toMatchObject({
    Name: 'Bob Marsh',
    'Job title': 'Buyer',
    'E-mail': 'Bob <bob@contoso.example>',
    'Business phones': '+49 30 1; +49 30 2',
    'Home address': 'Ring 1, 10115 Berlin',
  });
});

test('a post is a card with its author, text, picture, files and reactions, in which nothing runs', async () => {
  const address = 'https://graph.microsoft.com/v1.0/teams/t/channels/c/messages/1/hostedContents/aWQ=/$value';
  const content = `<p>Ship it</p><img src="${address}"><img src="https://evil.example/x.gif"><svg onload="alert(1)"></svg>`;
  const post: GivenItem = {
    id: 'c/messages/1',
    kind: 'post',
    name: 'Ship it',
    details: { from: 'Ada', sentAt: '2026-11-20T10:00:00.000Z' },
    contents: {
      ...json({
        body: { contentType: 'html', content },
        attachments: [{ name: 'Plan.docx' }],
        reactions: [{ reactionType: 'like' }, { reactionType: 'like' }],
      }),
      'hosted/aWQ=': PNG,
    },
  };
  const shown = await preview(stored, await orderOf({ ...DRIVE, kind: 'team' }, post), signal);
  expect(shown).toMatchObject({ from: { name: 'Ada' }, sentAt: new Date('2026-11-20T10:00:00Z') });
  expect(shown.html).toBe(
    `<p>Ship it</p><img src="data:image/png;base64,${PNG.toString('base64')}" alt=""><i>[picture]</i>`,
  );
  expect(factsIn(shown)).toMatchObject({ Attached: 'Plan.docx', Reactions: 'like 2' });
});

test('a row of a list is shown by the titles of its columns', async () => {
  const site: ProtectedObject = { ...DRIVE, kind: 'site', id: 'site-1', owner: null };
  const { object, revision } = await stored.backUp(site, [
    { id: 'list', kind: 'list', name: 'Orders', contents: json({ columns: [{ name: 'Title' }, { name: 'field_1' }] }) },
    { id: 'c1', kind: 'list-column', parentId: 'list', contents: json({ name: 'Title', displayName: 'Order' }) },
    { id: 'c2', kind: 'list-column', parentId: 'list', contents: json({ name: 'field_1', displayName: 'Amount' }) },
    { id: 'row', kind: 'list-item', parentId: 'list', contents: json({ fields: { Title: 'A-17', field_1: 12 } }) },
  ]);
  const item = await stored.catalog.item(object.key, revision, 'row');
  if (item === null) throw new Error('It was not stored.');
  expect(factsIn(await preview(stored, { object, item }, signal))).toMatchObject({ Order: 'A-17', Amount: '12' });
});

test('a page is shown by its texts, in which nothing runs', async () => {
  const webparts = [{ innerHtml: '<p>Welcome<script>alert(1)</script></p>' }, { innerHtml: '<h2>News</h2>' }];
  const canvasLayout = { horizontalSections: [{ columns: [{ webparts }] }] };
  const site: ProtectedObject = { ...DRIVE, kind: 'site', id: 'site-1', owner: null };
  const page: GivenItem = { id: 'p', kind: 'page', name: 'Home', contents: json({ title: 'Home', canvasLayout }) };
  const shown = await preview(stored, await orderOf(site, page), signal);
  expect(shown.html).toBe('<p>Welcome</p>\n<h2>News</h2>');
});
