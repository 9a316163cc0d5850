import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Attachment, FileAttachment, OutlookMessage } from '../outlook-item.ts';
import { readMime } from './read-mime.ts';

/** Lines as they travel, in pieces that fall anywhere. */
function source(...lines: string[]) {
  const bytes = Buffer.from(lines.join('\r\n'), 'utf8');
  return function* () {
    for (let at = 0; at < bytes.length; at += 997) {
      yield bytes.subarray(at, at + 997);
    }
  };
}

const UNOPENED = ['Content-Type: multipart/alternative; boundary=B', '', 'text'];

function read(...lines: string[]): Promise<OutlookMessage> {
  return readMime(source(...lines));
}

async function contentOf(attachment: Attachment | undefined): Promise<Buffer> {
  const { content } = file(attachment);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content()) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function file(attachment: Attachment | undefined): FileAttachment {
  if (attachment?.kind !== 'file') {
    throw new Error('There is no such file attachment.');
  }
  return attachment;
}

describe('a well-formed message', () => {
  it('gives its header in Unicode, whatever it was encoded in', async () => {
    const message = await read(
      'From: =?utf-8?B?w4RubmE=?= <anna@example.com>',
      'Sender: secretary@example.com',
      'To: "Bob, B." <bob@example.com>, Team: c@example.com, d@example.com;',
      'Cc: undisclosed-recipients:;',
      'Bcc: =?iso-8859-1?Q?J=F6rg?= <joerg@example.com>',
      'Reply-To: list@example.com',
      'Subject: =?utf-8?Q?Gr=C3=BC?= =?utf-8?Q?=C3=9Fe?= hällo',
      'Date: Wed, 04 Mar 2026 06:06:07 +0100 (CET)',
      'Received: from a by b; Wed, 04 Mar 2026 05:06:09 +0000',
      'Message-ID: <1@example.com>',
      'X-Priority: 1 (Highest)',
      'Sensitivity: Company-Confidential',
      'Keywords: Rot, Blau',
      '',
      'Hallo',
    );
    expect(message).toMatchObject({
      from: { name: 'Änna', email: 'anna@example.com' },
      sender: { email: 'secretary@example.com' },
      recipients: [
        { kind: 'to', name: 'Bob, B.', email: 'bob@example.com' },
        { kind: 'to', email: 'c@example.com' },
        { kind: 'to', email: 'd@example.com' },
        { kind: 'bcc', name: 'Jörg', email: 'joerg@example.com' },
      ],
      replyTo: [{ email: 'list@example.com' }],
      subject: 'Grüße hällo',
      sentAt: new Date('2026-03-04T05:06:07Z'),
      receivedAt: new Date('2026-03-04T05:06:09Z'),
      internetMessageId: '<1@example.com>',
      importance: 'high',
      sensitivity: 'confidential',
      categories: ['Rot', 'Blau'],
      bodyText: 'Hallo',
    });
    expect(message.internetHeaders).toContain('X-Priority: 1 (Highest)');
  });

  it('gives both bodies, inline pictures, files, and an attached message as an item', async () => {
    const message = await read(
      'Content-Type: multipart/mixed; boundary=A',
      '',
      '--A',
      'Content-Type: multipart/related; boundary=B',
      '',
      '--B',
      'Content-Type: multipart/alternative; boundary=C',
      '',
      '--C',
      'Content-Type: text/plain; charset=iso-8859-1; format=flowed',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=FC=DFe an=20',
      'alle',
      '--C',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Grüße <img src="cid:Pic@1"></p>',
      '--C--',
      '--B',
      'Content-Type: image/png; name="=?utf-8?Q?b=C3=A4r.png?="',
      'Content-ID: <pic@1>',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw0KGgo=',
      '--B--',
      '--A',
      'Content-Type: message/rfc822',
      '',
      'Subject: inner',
      '',
      'inner body',
      '--A--',
    );
    expect(message.bodyText).toBe('Grüße an alle');
    expect(message.bodyHtml).toBe('<p>Grüße <img src="cid:Pic@1"></p>');
    const [picture, attached] = message.attachments ?? [];
    expect(picture).toMatchObject({
      name: 'bär.png',
      contentType: 'image/png',
      contentId: 'pic@1',
      isInline: true,
      sizeBytes: 8,
    });
    expect((await contentOf(picture)).toString('hex')).toBe('89504e470d0a1a0a');
    expect(attached).toMatchObject({
      kind: 'item',
      item: { kind: 'message', subject: 'inner', bodyText: 'inner body' },
    });
  });

  it.each([
    ['shift_jis', '93fa967b', '日本'],
    ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
    ['gb18030', 'c4e3bac3', '你好'],
    ['utf-16le', '48006900', 'Hi'],
    ['x-unknown', 'c3bc', 'ü'],
    ['utf-8', 'fc', 'ü'],
  ])('reads a body in %s', async (charset, hex, text) => {
    const message = await readMime(() => [
      Buffer.from(`Content-Type: text/plain; charset=${charset}\r\n\r\n`),
      Buffer.from(hex, 'hex'),
    ]);
    expect(message.bodyText).toBe(text);
  });

  it.each([
    ['split in memory', [300_000, 5, 200_000]],
    ['split as a stream', [900_000, 5, 600_000]],
  ])('reads large attachments from the source again, in any order and more than once: %s', async (_how, sizes) => {
    const contents = sizes.map((size) => randomBytes(size));
    const parts = contents.flatMap((bytes, index) => [
      '--A',
      `Content-Type: application/octet-stream; name=${index}.bin`,
      'Content-Transfer-Encoding: base64',
      '',
      ...(bytes.toString('base64').match(/.{1,76}/g) ?? []),
    ]);
    let openings = 0;
    const mail = source('Content-Type: multipart/mixed; boundary=A', '', ...parts, '--A--');
    const message = await readMime(
      () => {
        openings += 1;
        return mail();
      },
      { memoryBytes: 1_000 },
    );
    const attachments = message.attachments ?? [];
    expect(attachments.map((attachment) => file(attachment).sizeBytes)).toEqual(sizes);
    for (const index of [0, 1, 2]) {
      expect(contents[index]?.equals(await contentOf(attachments[index]))).toBe(true);
    }
    expect(openings).toBe(2); // once to read, once more for all that is large
    for (const index of [2, 0, 0]) {
      expect(contents[index]?.equals(await contentOf(attachments[index]))).toBe(true);
    }
    for await (const _ of file(attachments[0]).content()) {
      break; // a reader that gives up half way
    }
    expect(contents[2]?.equals(await contentOf(attachments[2]))).toBe(true);
  });
});

describe('white space behind a delimiter', () => {
  it.each([
    ['\r\n', 10],
    ['\n', 10],
    ['\r\n', 1_200_000],
    ['\n', 1_200_000],
  ])('loses no part and changes no byte: line ends %j, attachment of %i bytes', async (end, size) => {
    const content = randomBytes(size);
    const lines = [
      'Content-Type: multipart/mixed; boundary="A"',
      '',
      '--A ',
      'Content-Type: multipart/alternative; boundary="A A"',
      '',
      '--A A\t',
      '',
      'text',
      '--A A \t ',
      'Content-Type: text/html',
      '',
      '<p>html</p>',
      '--A A--\t',
      `--A${' '.repeat(300)}`,
      'Content-Type: application/octet-stream; name=a.bin',
      'Content-Transfer-Encoding: base64',
      '',
      ...(content.toString('base64').match(/.{1,76}/g) ?? []),
      '--A-- ',
      'epilogue',
    ];
    const message = await readMime(() => [Buffer.from(lines.join(end))]);
    expect(message).toMatchObject({ bodyText: 'text', bodyHtml: '<p>html</p>', attachments: [{ sizeBytes: size }] });
    expect(content.equals(await contentOf(message.attachments?.[0]))).toBe(true);
  });

  it('does not turn a line of text into a delimiter', async () => {
    const text = ['-- ', '--A x', ' --A', '--AB ', '--A- ', '--A--x'].join('\r\n');
    const message = await read('Content-Type: multipart/mixed; boundary=A', '', '--A', '', text, '--A--');
    expect(message.bodyText).toBe(text);
  });
});

describe('forms of mail that are rare', () => {
  it('reads the parts of a digest as messages, and those that say otherwise as what they are', async () => {
    const message = await read(
      'Content-Type: multipart/digest; boundary=A',
      '',
      '--A',
      '',
      'Subject: inner',
      '',
      'inner body',
      '--A',
      'Content-Type: text/plain',
      '',
      'note',
      '--A--',
    );
    expect(message).toMatchObject({
      bodyText: 'note',
      attachments: [{ kind: 'item', item: { subject: 'inner', bodyText: 'inner body' } }],
    });
  });

  it.each([['x-uuencode'], ['UUENCODE']])('decodes an attachment in %s', async (encoding) => {
    const message = await read(
      'Content-Type: application/octet-stream; name=cat.txt',
      `Content-Transfer-Encoding: ${encoding}`,
      '',
      'begin 644 cat.txt',
      '#0V%T',
      '`',
      'end',
    );
    expect((await contentOf(message.attachments?.[0])).toString()).toBe('Cat');
  });

  it('reads a body and a subject in UTF-7', async () => {
    const message = await read(
      'Subject: =?unicode-1-1-utf-7?Q?Gr+APwA3w-e?=',
      'Content-Type: text/plain; charset=unicode-1-1-utf-7',
      '',
      'Hi Mom -+Jjo--!',
    );
    expect(message).toMatchObject({ subject: 'Grüße', bodyText: 'Hi Mom -☺-!' });
  });

  it.each([
    ['ISO 8859-1', 'iso-8859-1', 'aüb=E4', 'latin1', 'aübä'],
    ['UTF-8', 'utf-8', 'aüb=C3=A4', 'utf8', 'aübä'],
    ['Cyrillic', 'windows-1251', 'Ïðè=E2=E5=F2', 'latin1', 'Привет'],
    ['UTF-8 that names another character set', 'iso-8859-1', 'grün', 'utf8', 'grün'],
    ['ISO 8859-1 that is called UTF-8', 'utf-8', 'grün', 'latin1', 'grün'],
  ] as const)('reads unencoded bytes in an encoded word: %s', async (_, charset, word, bytes, expected) => {
    const encoded = `=?${charset}?Q?${word}?=`;
    const header = `Subject: ${encoded}\r\nFrom: ${encoded} <a@example.com>\r\nContent-Type: a/b; name="${encoded}"`;
    const message = await readMime(() => [Buffer.from(`${header}\r\n\r\nx`, bytes)]);
    expect(message).toMatchObject({
      subject: expected,
      from: { name: expected, email: 'a@example.com' },
      attachments: [{ name: expected }],
    });
  });

  it('decodes a name once, also where it looks like an encoded word afterwards', async () => {
    const word = '=?utf-8?Q?x?=';
    const encoded = `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`;
    const message = await read(
      `Subject: ${encoded}`,
      `To: ${encoded} <a@example.com>`,
      `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(word)}`,
      '',
      'x',
    );
    expect(message).toMatchObject({ subject: word, recipients: [{ name: word }], attachments: [{ name: word }] });
  });

  it('joins encoded words that are cut within a character', async () => {
    const message = await read(
      'Subject: =?utf-8?Q?a=C3?= =?utf-8?Q?=BC?= =?utf-8?B?w7?=\r\n =?UTF-8?B?w=?= end',
      '',
      'x',
    );
    expect(message.subject).toBe('aüü end');
  });
});

describe('a broken message', () => {
  it.each([
    ['nothing at all', [''], { kind: 'message', subject: '' }],
    ['only a header', ['Subject: x'], { subject: 'x' }],
    ['an empty body', ['Subject: x', '', ''], { subject: 'x' }],
    ['no header', ['', 'just text'], { bodyText: 'just text' }],
    ['a date that is none', ['Date: yesterday', '', 'x'], { bodyText: 'x' }],
    [
      'a multipart that never ends',
      ['Content-Type: multipart/mixed; boundary=A', '', '--A', '', 'text'],
      { bodyText: 'text' },
    ],
    ['base64 that is none', ['Content-Transfer-Encoding: base64', '', '*** &&&'], { kind: 'message' }],
    ['an unreadable address', ['From: <<>>,,;', 'To: @@@ <', '', 'x'], { bodyText: 'x' }],
    ['bytes that are no text', ['Subject: \u0000\u0007', '', '\u0000\u0001'], { kind: 'message' }],
  ])('with %s is read as far as possible', async (_what, lines, expected) => {
    expect(await read(...lines)).toMatchObject(expected);
  });

  it.each([
    [
      'whose boundary never occurs',
      ['Content-Type: multipart/mixed; boundary=A', '', '--B', 'text', ''],
      '--B\r\ntext',
    ],
    ['without a boundary', ['Content-Type: multipart/mixed', '', 'text'], 'text'],
    [
      'in another one, up to where that continues',
      ['Content-Type: multipart/mixed; boundary=A', '', '--A', ...UNOPENED, '--A', '', 'next', '--A--', 'epilogue'],
      'text\r\nnext',
    ],
    [
      'in another one, up to where that ends',
      ['Content-Type: multipart/mixed; boundary=A', '', '--A', ...UNOPENED, '--A--', 'epilogue'],
      'text',
    ],
  ])('with a multipart %s has its source as text and names the loss', async (_what, lines, bodyText) => {
    expect(await read(...lines)).toMatchObject({
      bodyText,
      losses: [expect.stringContaining('its source is in the text')],
    });
  });

  it('with a large multipart whose boundary never occurs is attached whole', async () => {
    const lines = ['Content-Type: multipart/mixed; boundary=A', '', ...new Array(20_000).fill('x'.repeat(1_000))];
    const message = await read(...lines);
    expect(message.losses).toEqual([expect.stringContaining('attached whole')]);
    expect((await contentOf(message.attachments?.[0])).equals(Buffer.from(lines.join('\r\n')))).toBe(true);
  });

  it('without a loss has no list of losses, also where a multipart is empty', async () => {
    expect(await read('Subject: x', '', 'text')).not.toHaveProperty('losses');
    expect(await read('Content-Type: multipart/mixed; boundary=A', '', '--A--', '')).not.toHaveProperty('losses');
  });

  it('removes paths and control characters from the names of attachments', async () => {
    const names = ['../../etc/passwd', 'C:\\Windows\\a.dll', '..', 'a\u202etxt.exe', `${'x'.repeat(400)}.pdf`, ''];
    const parts = names.flatMap((name) => [
      '--A',
      'Content-Type: application/pdf',
      `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}`,
      '',
      'x',
    ]);
    const message = await read('Content-Type: multipart/mixed; boundary=A', '', ...parts, '--A--');
    expect(message.attachments?.map((attachment) => attachment.name)).toEqual([
      'passwd',
      'a.dll',
      'attachment-3.pdf',
      'atxt.exe',
      `${'x'.repeat(251)}.pdf`,
      'attachment-6.pdf',
    ]);
  });
});

describe('a message made to do harm', () => {
  it('of a hundred thousand parts is attached whole', async () => {
    const lines = [
      'Subject: bomb',
      'Content-Type: multipart/mixed; boundary=A',
      '',
      ...new Array(100_000).fill('--A\r\n\r\n'),
      '--A--',
    ];
    const bytes = Buffer.from(lines.join('\r\n'));
    const message = await readMime(() => [bytes]);
    expect(message.subject).toBe('bomb');
    expect(message.attachments).toHaveLength(1);
    expect(bytes.equals(await contentOf(message.attachments?.[0]))).toBe(true);
  });

  it('of messages nested without end becomes items down to a depth and a file below', async () => {
    let mail = 'Subject: 0\r\n\r\nx';
    for (let depth = 1; depth <= 60; depth += 1) {
      mail = `Subject: ${depth}\r\nContent-Type: message/rfc822\r\n\r\n${mail}`;
    }
    let depth = 0;
    let message: OutlookMessage | undefined = await readMime(() => [Buffer.from(mail)]);
    for (; message; depth += 1) {
      const [attachment]: readonly Attachment[] = message.attachments ?? [];
      message = attachment?.kind === 'item' && attachment.item.kind === 'message' ? attachment.item : undefined;
    }
    expect(depth).toBe(9);
  });

  it('to 5,000 people has all of them as recipients', async () => {
    const to = Array.from({ length: 5_000 }, (_, index) => `"P ${index}" <p${index}@example.com>`).join(',\r\n ');
    const message = await read(`To: ${to}`, '', 'x');
    expect(message.recipients).toHaveLength(5_000);
    expect(message.recipients?.at(-1)).toEqual({ kind: 'to', name: 'P 4999', email: 'p4999@example.com' });
  });

  it('whose source fails is an error, not half a message', async () => {
    const failing = function* () {
      yield Buffer.from('Subject: x\r\n\r\nhalf');
      throw new Error('the store is gone');
    };
    await expect(readMime(failing)).rejects.toThrow('the store is gone');
  });
});
