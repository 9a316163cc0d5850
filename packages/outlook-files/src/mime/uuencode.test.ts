import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeUuencode } from './uuencode.ts';

async function decoded(...pieces: string[]): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of decodeUuencode(pieces.map((text) => Buffer.from(text, 'latin1')))) all.push(piece);
  return Buffer.concat(all);
}

/** As POSIX describes it. @param zero programs write zeros as one of two characters */
function encoded(bytes: Uint8Array, zero: string): string {
  const character = (bits: number) => (bits === 0 ? zero : String.fromCharCode(32 + bits));
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 45) {
    const line = bytes.subarray(at, at + 45);
    let text = character(line.length);
    for (let group = 0; group < line.length; group += 3) {
      const bits = ((line[group] ?? 0) << 16) | ((line[group + 1] ?? 0) << 8) | (line[group + 2] ?? 0);
      text += [18, 12, 6, 0].map((shift) => character((bits >>> shift) & 63)).join('');
    }
    lines.push(text);
  }
  return lines.join('\r\n');
}

it('gives the bytes that were encoded, in pieces of any size, also where the spaces at the end of lines were cut off', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(' ', '`'),
      fc.boolean(),
      fc.integer({ min: 1, max: 90 }),
      async (bytes, zero, isCut, length) => {
        const lines = encoded(bytes, zero);
        const sent = `begin 644 a b.bin\r\n${isCut ? lines.replace(/ +$/gm, '') : lines}\r\n${zero}\r\nend\r\nafter`;
        expect(await decoded(...(sent.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []))).toEqual(Buffer.from(bytes));
      },
    ),
    { numRuns: 100 },
  );
});

it('leaves content as it is that is not in this encoding', async () => {
  expect((await decoded('just text\nbegin 644 x\n', '#0V%T\n')).toString()).toBe('just text\nbegin 644 x\n#0V%T\n');
});
