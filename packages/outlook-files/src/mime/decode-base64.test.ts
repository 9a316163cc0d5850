import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBase64 } from './decode-base64.ts';
import { streamedParts } from './streamed-parts.ts';

/** What the library of a mail server decodes. */
async function decodedByStream(encoded: Buffer): Promise<Buffer> {
  async function* mail() {
    yield Buffer.concat([Buffer.from('Content-Transfer-Encoding: base64\r\n\r\n'), encoded]);
  }
  const pieces: Buffer[] = [];
  for await (const { content } of streamedParts(mail())) for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

const BROKEN = fc
  .array(fc.constantFrom('A', 'b', '9', '+', '/', '=', '\r\n', '\n', ' ', '-', '_', '*', '?', '\0', '~', '\xc1'), {
    maxLength: 40,
  })
  .map((characters) => Buffer.from(characters.join(''), 'latin1'));

it('decodes lines of any length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.integer({ min: 1, max: 80 }), (bytes, length) => {
      const lines =
        Buffer.from(bytes)
          .toString('base64')
          .match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
      expect(decodeBase64(Buffer.from(`${lines.join('\r\n')}\r\n`))).toEqual(Buffer.from(bytes));
    }),
  );
});

it('decodes broken base64 like a mail reader, or refuses it', async () => {
  let given = 0;
  await fc.assert(
    fc.asyncProperty(BROKEN, async (encoded) => {
      const decoded = decodeBase64(encoded);
      if (decoded === null) return;
      given += 1;
      expect(decoded).toEqual(await decodedByStream(encoded));
    }),
    { numRuns: 2_000 },
  );
  expect(given).toBeGreaterThan(10);
});
