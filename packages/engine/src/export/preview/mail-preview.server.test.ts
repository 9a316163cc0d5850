import { afterEach, beforeEach, expect, test } from 'vitest';
import { processorMs } from '../../../../sandbox/src/testing/processor-time.ts';
import { DRIVE, type GivenItem, json, MAILBOX } from '../../browse/testing/list-source.ts';
import { StoredBackup } from '../../browse/testing/stored-backup.ts';
import { scopeOfVersion } from '../../browse/version-scope.ts';
import { listParts, openPart, preview } from '../../engine.ts';
import type { ItemVersion } from '../../model/items.ts';
import type { ProtectedObject } from '../../model/protected-object.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());
const { signal } = new AbortController();

async function itemOf(object: ProtectedObject, given: GivenItem): Promise<ItemVersion> {
  const { object: found, revision } = await stored.backUp(object, [given]);
  const item = await stored.catalog.item(found.key, revision, given.id);
  if (item === null) throw new Error('It was not stored.');
  return item;
}

const mailOrder = async (html: string) => {
  const item = await itemOf(MAILBOX, mail(html));
  return { object: (await stored.scopeOf(MAILBOX)).object, item };
};

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const PDF = Buffer.from('%PDF-1.7 bytes of a report\n'.repeat(50));

function mailOf(html: string): string {
  return [
    'From: Ada <ada@contoso.example>',
    'To: Bob <bob@contoso.example>',
    'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=m',
    '',
    '--m',
    'Content-Type: multipart/related; boundary=r',
    '',
    '--r',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--r',
    'Content-Type: image/png; name=logo.png',
    'Content-Transfer-Encoding: base64',
    'Content-ID: <logo@x>',
    'Content-Disposition: inline; filename=logo.png',
    '',
    PNG.toString('base64'),
    '--r',
    'Content-Type: image/svg+xml; name=evil.svg',
    'Content-Transfer-Encoding: base64',
    'Content-ID: <evil@x>',
    'Content-Disposition: inline; filename=evil.svg',
    '',
    Buffer.from('<svg onload="alert(1)"/>').toString('base64'),
    '--r--',
    '--m',
    'Content-Type: application/pdf; name=report.pdf',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment; filename=report.pdf',
    '',
    PDF.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
    '--m--',
    '',
  ].join('\r\n');
}

const mail = (html: string): GivenItem => ({
  id: 'm',
  kind: 'message',
  name: 'Grüße',
  parentId: null,
  contents: { ...json({}), mime: mailOf(html) },
});

test('a mail is shown with its pictures and without anything that runs, reaches out or asks for input', async () => {
  const html = `<p style="background:url(https://evil.example/p)">Hello <b>Bob</b></p><img src="cid:logo@x"><img src="cid:evil@x">
    <img src="https://evil.example/pixel.gif"><script>alert(1)</script><svg><script>alert(2)</script></svg><form action="https://evil.example"><input></form>
    <iframe src="https://evil.example"></iframe><a href="javascript:alert(3)">x</a><a href="https://contoso.example/">link</a><style>@import "https://evil.example"</style>`;
  const shown = await preview(stored, await mailOrder(html), signal);
  expect(shown).toMatchObject({
    subject: 'Grüße',
    from: { name: 'Ada', email: 'ada@contoso.example' },
    recipients: [{ kind: 'to', email: 'bob@contoso.example' }],
    sentAt: new Date('2026-11-20T10:00:00Z'),
    isCut: false,
  });
  expect(shown.html).toContain('<p>Hello <b>Bob</b></p>');
  expect(shown.html).toContain(`<img src="data:image/png;base64,${PNG.toString('base64')}" alt="">`);
  expect(shown.html).toContain('<a href="https://contoso.example/" rel="noopener noreferrer">link</a>');
  for (const hostile of [
    'evil.example',
    'script',
    'alert',
    '<svg',
    '<form',
    '<iframe',
    'style',
    'javascript:',
    'image/svg',
  ])
    expect(shown.html).not.toContain(hostile);
  expect(shown.attachments.map(({ name, sizeBytes, isInline }) => [name, sizeBytes, isInline])).toEqual([
    ['logo.png', PNG.length, true],
    ['evil.svg', expect.any(Number), true],
    ['report.pdf', PDF.length, false],
  ]);
});

test('a body of a hundred thousand nested tables, closed in the wrong order, is shown at once and cut', async () => {
  const item = await itemOf(MAILBOX, mail(`${'<table><tr><td>'.repeat(100_000)}deep${'</b></i>'.repeat(50_000)}`));
  const { object } = await stored.scopeOf(MAILBOX);
  const read = async () => {
    const shown = await preview(stored, { object, item }, signal);
    expect(shown.isCut).toBe(true);
    expect(shown.html?.match(/<table>/g)?.length).toBeLessThan(200);
  };
  expect(await processorMs(read)).toBeLessThan(5_000);
});

test('a single attachment is downloaded to the byte, and one that is not there is named', async () => {
  const item = await itemOf(MAILBOX, mail('<p>Hi</p>'));
  const parts = await listParts(stored, item, signal);
  expect(parts.map(({ id, what, name }) => [id, what, name])).toEqual([
    ['mime', 'current', 'Grüße.eml'],
    ['attachment/0', 'attachment', 'logo.png'],
    ['attachment/1', 'attachment', 'evil.svg'],
    ['attachment/2', 'attachment', 'report.pdf'],
  ]);
  const { part, bytes } = await openPart(stored, item, 'attachment/2', signal);
  const read: Uint8Array[] = [];
  for await (const piece of bytes()) read.push(piece);
  expect(Buffer.concat(read).equals(PDF)).toBe(true);
  expect(part).toMatchObject({ contentType: 'application/pdf', sizeBytes: PDF.length });
  await expect(openPart(stored, item, 'attachment/7', signal)).rejects.toMatchObject({ code: 'not-found' });
});

test('earlier versions of a file are listed newest first and downloaded; a version of another restore point is a scope', async () => {
  const versions = [
    { id: '3.0', lastModifiedDateTime: '2026-11-03T00:00:00Z' },
    { id: '2.0', lastModifiedDateTime: '2026-11-02T00:00:00Z' },
    { id: '1.0', lastModifiedDateTime: '2026-11-01T00:00:00Z' },
  ];
  const contents = { ...json({ versions }), file: 'third', 'versions/1.0': 'first', 'versions/2.0': 'second' } as const;
  const given: GivenItem = { id: 'f', kind: 'file', name: 'a.txt', parentId: null, contents };
  const item = await itemOf(DRIVE, given);
  const parts = await listParts(stored, item, signal);
  expect(parts.map(({ id, what }) => [id, what])).toEqual([
    ['file', 'current'],
    ['versions/2.0', 'earlier-version'],
    ['versions/1.0', 'earlier-version'],
  ]);
  expect(parts[2]).toMatchObject({ name: 'a.txt', sizeBytes: 5, modifiedAt: new Date('2026-11-01T00:00:00Z') });
  const { bytes } = await openPart(stored, item, 'versions/1.0', signal);
  for await (const piece of bytes()) expect(Buffer.from(piece).toString()).toBe('first');
  const { object } = await stored.backUp(DRIVE, [{ ...given, contents: { ...contents, file: 'fourth' } }]);
  const scope = await scopeOfVersion(stored.catalog, object.key, 'f', item.firstRevision);
  expect(scope).toMatchObject({ revision: item.firstRevision, items: ['f'] });
  await expect(scopeOfVersion(stored.catalog, object.key, 'f', 99)).rejects.toMatchObject({ code: 'not-found' });
});
