import { expect, test } from 'vitest';
import { processorMs } from '../../../sandbox/src/testing/processor-time.ts';
import { mimeText, propertyText } from './words-of.ts';

const lines = (...all: string[]) => Buffer.from(all.join('\r\n'));

test('reads the text of a message, from HTML where there is no plain one', async () => {
  expect((await mimeText(lines('Subject: x', '', 'Dear Ada'))).text).toContain('Dear Ada');
  const html = lines('Content-Type: text/html; charset=utf-8', '', '<p>Dear <b>Ada</b></p><script>no</script>');
  expect((await mimeText(html)).text).toMatch(/Dear\s+Ada/);
  expect((await mimeText(html)).text).not.toContain('no');
});

test('reads the words of a message that no parser takes', async () => {
  const nested = Array.from({ length: 200 }, (_, at) => [
    `Content-Type: multipart/mixed; boundary=b${at}`,
    '',
    `--b${at}`,
  ]).flat();
  expect(await mimeText(lines(...nested, 'Content-Type: text/plain', '', 'deep'))).toMatchObject({
    text: expect.any(String),
  });
  expect((await mimeText(Buffer.alloc(0))).text).toBe('');
});

test('reads what people write into events, tasks, posts and list items', () => {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  expect(propertyText(json({ body: { contentType: 'html', content: '<p>Agenda</p>' } })).text).toContain('Agenda');
  expect(propertyText(json({ personalNotes: 'met in Riga', description: null })).text).toContain('met in Riga');
  expect(propertyText(json({ fields: { Title: 'Turbine', Count: 7, Link: { Url: 'x' } } })).text).toMatch(/Turbine 7/);
  for (const bad of ['', '[]', 'null', '{"body": 7}', '{']) expect(propertyText(Buffer.from(bad)).text).toBe('');
});

test('reads the names of attachments, of messages and of events', async () => {
  const part = (disposition: string) => ['--b', 'Content-Type: application/pdf', disposition, '', 'x'];
  const mail = lines(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...part('Content-Disposition: attachment; filename="Offer 7.pdf"'),
    ...part("Content-Disposition: attachment; filename*=UTF-8''%ED%9A%8C%EC%9D%98.pdf"),
    '--b--',
  );
  expect((await mimeText(mail)).attachmentNames).toEqual(['Offer 7.pdf', '회의.pdf']);
  const event = Buffer.from(JSON.stringify({ attachments: [{ name: 'Agenda.docx' }, { name: null }, {}] }));
  expect(propertyText(event).attachmentNames).toEqual(['Agenda.docx']);
});

test.each([
  ['boundaries', ['Content-Type: multipart/mixed; boundary=b', '', '']],
  ['header', ['X: ']],
  ['html', ['Content-Type: text/html', '', '']],
])(
  'takes bounded time for four megabytes of hostile %s',
  async (name, head) => {
    const pieces: Record<string, string[]> = {
      boundaries: ['--b\r\n', '--b\r\n\r\n'],
      header: ['a ', 'a\r\n '],
      html: ['<', '<a ', '<p>', '&#1;', '<a href="x">', '<br>', '\n '],
    };
    for (const piece of pieces[name] ?? []) {
      const bytes = Buffer.concat([lines(...head), Buffer.from(piece.repeat(Math.floor(4_000_000 / piece.length)))]);
      const read = async () => expect(await mimeText(bytes)).toMatchObject({ text: expect.any(String) });
      expect(await processorMs(read), piece).toBeLessThan(10_000);
    }
  },
  120_000,
);
