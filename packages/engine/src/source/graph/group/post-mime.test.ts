import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { mimeOfPost } from './post-mime.ts';

const recipient = (name: string, address: string) => ({ emailAddress: { name, address } });
const POST = {
  subject: 'Angebot für die Größen 36–48',
  from: recipient('Ümit Yıldırım', 'umit@contoso.example'),
  sender: recipient('Ümit Yıldırım', 'umit@contoso.example'),
  toRecipients: [recipient('Sales', 'sales@contoso.example'), recipient('"A", B', 'a@contoso.example')],
  receivedDateTime: '2026-11-02T08:00:00Z',
  body: { contentType: 'html', content: '<p>Grüße 😀</p>' },
};

test('gives mail readers the author, the recipients, the date and the text, in every script', async () => {
  const mail = await PostalMime.parse(await mimeOfPost(POST));
  expect(mail).toMatchObject({
    subject: POST.subject,
    from: { name: 'Ümit Yıldırım', address: 'umit@contoso.example' },
    to: [
      { name: 'Sales', address: 'sales@contoso.example' },
      { name: '"A", B', address: 'a@contoso.example' },
    ],
    date: '2026-11-02T08:00:00.000Z',
    html: expect.stringContaining('<p>Grüße 😀</p>'),
  });
  expect(mail.headers.map(({ key }) => key)).not.toContain('sender');
});

test('has lines that every program accepts', async () => {
  const content = 'Long subject '.repeat(18);
  const lines = (await mimeOfPost({ ...POST, subject: content, body: { contentType: 'text', content } })).toString(
    'latin1',
  );
  for (const line of lines.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
  expect(lines.split('\n').every((line) => line === '' || line.endsWith('\r'))).toBe(true);
});

test('lets no topic, name or address of another person add a header', async () => {
  const evil = {
    ...POST,
    subject: 'Hello\r\nBcc: all@contoso.example\r\n\r\nbody',
    from: recipient('Eve\r\nX-Evil: 1', 'eve@evil.example\r\nX-Evil: 2'),
  };
  const mail = await PostalMime.parse(await mimeOfPost(evil));
  expect(mail.headers.map(({ key }) => key).filter((key) => /bcc|evil/.test(key))).toEqual([]);
  expect(mail.bcc).toBeUndefined();
  expect(mail.html).toContain('Grüße');
});

test('is a message even for an empty post', async () => {
  expect(await PostalMime.parse(await mimeOfPost({}))).toMatchObject({ attachments: [] });
});

test('is the same bytes each time it is made: what did not change is stored once', async () => {
  for (const post of [POST, {}]) expect(await mimeOfPost(post)).toEqual(await mimeOfPost(post));
});
