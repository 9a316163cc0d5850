import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MimePart } from './mime-part.ts';
import { partsInMemory } from './parts-in-memory.ts';
import { streamedParts } from './streamed-parts.ts';

const LONG = 'words of a body, and many of them. '.repeat(12);

/** Lines that mean something to whoever takes mail apart, in whatever order. */
const LINE = fc.constantFrom(
  '',
  ' ',
  '\r',
  '--',
  '-- ',
  '--A',
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
/** Parts as they should be, but for a line here and there. */
const PART = fc
  .tuple(fc.constantFrom('--A', '--B'), END, lines(LINE, 2), END, lines(fc.constantFrom(LONG, 'text', '--'), 3), END)
  .map((texts) => texts.join(''));
const PARTS = fc.array(fc.oneof(PART, PART, lines(LINE, 2)), { maxLength: 12 }).map((parts) => parts.join(''));
const HEADER = fc.constantFrom('', 'Content-Type: multipart/mixed; boundary=A\r\n\r\n');
const MESSAGE = fc.tuple(HEADER, fc.oneof(PARTS, lines(LINE, 60))).map((texts) => Buffer.from(texts.join('')));

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function told(parts: AsyncGenerator<MimePart>) {
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

it('a message in memory has the parts that it has as a stream, whatever its lines', async () => {
  await fc.assert(
    fc.asyncProperty(MESSAGE, async (message) => {
      expect(await told(partsInMemory(message))).toEqual(await told(streamedParts(once(message))));
    }),
    { numRuns: 600 },
  );
});

it('parts of more than a message may have end it with a failure, after those before', async () => {
  const message = Buffer.from(`Content-Type: multipart/mixed; boundary=A\r\n\r\n${'--A\r\n\r\nx\r\n'.repeat(2_000)}`);
  const parts = partsInMemory(message);
  expect((await parts.next()).value?.node.contentType).toBe('multipart/mixed');
  await expect(told(parts)).rejects.toMatchObject({ code: 'EMAXLEN' });
});

it('a body that looks like what stands for another one stays what it is', async () => {
  const body = `body-${'0'.repeat(32)}-00000000`;
  const message = Buffer.from(`Subject: x\r\n\r\n${LONG}${body}`);
  expect(await told(partsInMemory(message))).toMatchObject([{ bytes: Buffer.from(`${LONG}${body}`) }]);
});
