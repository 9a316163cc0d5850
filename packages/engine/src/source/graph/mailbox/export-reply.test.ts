import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ExportReply } from './export-reply.ts';

function bytesIn(text: string, pieceBytes: number): { bytes: Buffer; entry: unknown } {
  const reply = new ExportReply('Offer');
  const found: Buffer[] = [];
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += pieceBytes) found.push(...reply.push(all.subarray(at, at + pieceBytes)));
  return { bytes: Buffer.concat(found), entry: reply.end() };
}

const BYTES = Buffer.from(Array.from({ length: 1_000 }, (_, at) => (at * 7) % 256));
const entryOf = (data: string) => `{"value" : [ {"itemId":"a \\"data\\": \\" b","changeKey":"ü","data" : "${data}"}]}`;

describe('The bytes of an item in a reply of an export', () => {
  it.each([1, 3, 7, 64, 100_000])('are those that were written, in pieces of %s bytes', (pieceBytes) => {
    const { bytes, entry } = bytesIn(entryOf(BYTES.toString('base64')), pieceBytes);
    expect(bytes.equals(BYTES)).toBe(true);
    expect(entry).toEqual({ itemId: 'a "data": " b', changeKey: 'ü', data: '' });
  });

  it.each([1, 5, 100_000])(
    'are the same where a server escapes what base64 has, in pieces of %s bytes',
    (pieceBytes) => {
      const data = BYTES.toString('base64').replaceAll('/', '\\/').replaceAll('+', '\\u002B');
      expect(bytesIn(entryOf(data), pieceBytes).bytes.equals(BYTES)).toBe(true);
    },
  );

  it('are none where the item is refused, and its entry contains the reason', () => {
    const { bytes, entry } = bytesIn('{"value":[{"itemId":"a","error":{"code":"ErrorItemNotFound"}}]}', 9);
    expect(bytes.length).toBe(0);
    expect(entry).toMatchObject({ error: { code: 'ErrorItemNotFound' } });
  });

  it('are reported as incomplete when the reply breaks off', () => {
    expect(() => bytesIn(entryOf('AAAA').slice(0, -4), 5)).toThrow(/The export of ‘Offer’ broke off/);
    expect(() => bytesIn('<html>', 5)).toThrow(/broke off/);
  });

  it('pass without being buffered, and end where no item of a mailbox is larger', () => {
    const reply = new ExportReply('Bomb');
    reply.push(Buffer.from('{"value":[{"data":"'));
    const piece = Buffer.alloc(8 * 2 ** 20, 'A');
    const hash = createHash('sha256');
    const endless = () => {
      for (;;) for (const bytes of reply.push(piece)) hash.update(bytes.subarray(0, 1));
    };
    expect(endless).toThrow(/more than 512 MB as the export of ‘Bomb’/);
  });

  it('come with little else: a reply of anything but bytes is refused', () => {
    const reply = new ExportReply('Bomb');
    const endless = () => {
      for (;;) reply.push(Buffer.alloc(2 ** 16, ' '));
    };
    expect(endless).toThrow(/more than 256 KB beside its bytes/);
  });
});
