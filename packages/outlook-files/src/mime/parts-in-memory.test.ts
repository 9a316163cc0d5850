import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MimePart } from './mime-part.ts';
import { partsInMemory } from './parts-in-memory.ts';
import { streamedParts } from './streamed-parts.ts';

const LONG = 'words of a body, and many of them. '.repeat(12);

/** Lines that mean something in MIME, in any order. */
const LINE = fc.constantFrom(
  '',
  ' ',
  '\r',
  '--',
  '-- ',
  '--A',
  '--A \t',
  '--B-- ',
  'Content-Type: multipart/digest; boundary=B',
  'Content-Transfer-Encoding: x-uuencode',
  '--A--',
  '--B',
  '--B--',
  '\r--A',
  ' --A',
  '---A',
  'Subject: x',
  'Content-Type: multipart/mixed; boundary=A',
  'Content-Type: multipart/related; boundary="B"',
  'Content-Type: message/rfc822',
  'Content-Type: text/html; charset=utf-8',
  'Content-Type: image/png; name=a.png',
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: quoted-printable',
  'text',
  'aGVsbG8gd29ybGQ=',
  'a=C3=BC=',
  LONG,
  Buffer.from(LONG).toString('base64'),
);
const END = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n');
const lines = (line: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(fc.tuple(line, END), { maxLength }).map((all) => all.flat().join(''));
/** Well-formed parts, except for single lines. */
const PART = fc
  .tuple(fc.constantFrom('--A', '--B'), END, lines(LINE, 2), END, lines(fc.constantFrom(LONG, 'text', '--'), 3), END)
  .map((texts) => texts.join(''));
const PARTS = fc.array(fc.oneof(PART, PART, lines(LINE, 2)), { maxLength: 12 }).map((parts) => parts.join(''));
const HEADER = fc.constantFrom('', 'Content-Type: multipart/mixed; boundary=A\r\n\r\n');
const MESSAGE = fc.tuple(HEADER, fc.oneof(PARTS, lines(LINE, 60))).map((texts) => Buffer.from(texts.join('')));

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function partsOf(parts: AsyncGenerator<MimePart>) {
  const all: unknown[] = [];
  for await (const { node, index, content } of parts) {
    const bytes: Buffer[] = [];
    for await (const piece of content) bytes.push(piece);
    const { contentType, encoding, charset, disposition, filename } = node;
    const headers = node.headers ? node.getHeaders().toString('latin1') : null;
    all.push({ index, contentType, encoding, charset, disposition, filename, headers, bytes: Buffer.concat(bytes) });
  }
  return all;
}

it('splits a message in memory into the same parts as a stream, whatever its lines', async () => {
  await fc.assert(
    fc.asyncProperty(MESSAGE, async (message) => {
      expect(await partsOf(partsInMemory(message))).toEqual(await partsOf(streamedParts(once(message))));
    }),
    { numRuns: 600 },
  );
});

it('fails behind the last allowed part of a message with too many', async () => {
  const message = Buffer.from(`Content-Type: multipart/mixed; boundary=A\r\n\r\n${'--A\r\n\r\nx\r\n'.repeat(2_000)}`);
  const parts = partsInMemory(message);
  expect((await parts.next()).value?.node.contentType).toBe('multipart/mixed');
  await expect(partsOf(parts)).rejects.toMatchObject({ code: 'EMAXLEN' });
});

it('leaves a body unchanged that looks like the mark of another one', async () => {
  const body = `body-${'0'.repeat(32)}-00000000`;
  const message = Buffer.from(`Subject: x\r\n\r\n${LONG}${body}`);
  expect(await partsOf(partsInMemory(message))).toMatchObject([{ bytes: Buffer.from(`${LONG}${body}`) }]);
});
