import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../testing/random.ts';
import { encodeLines, type LineShape, type Piece, takeApart } from './base64-lines.ts';

const random = new Random(7);

function joined(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(pieces.map(({ bytes, shape }) => (shape === null ? bytes : encodeLines(bytes, shape))));
}

function mail(decoded: Buffer, shape: LineShape, tail = '\r\n--b--\r\n'): Buffer {
  return Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), encodeLines(decoded, shape), Buffer.from(tail)]);
}

test('whatever the bytes are, the pieces give them back', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .constantFrom('\r\n', '\n', '\r', '=', '==', '--b', 'A'.repeat(76), 'A'.repeat(75))
      .map((text) => Buffer.from(text)),
    fc
      .record({
        size: fc.integer({ min: 0, max: 60_000 }),
        base64: fc.constantFrom(40, 60, 64, 76, 78, 1_000),
        end: fc.constantFrom('crlf', 'lf'),
      })
      .map(({ size, base64, end }) => encodeLines(random.bytes(size), { base64, end: end === 'lf' ? 'lf' : 'crlf' })),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (parts) => {
      const text = Buffer.concat(parts);
      expect(joined(takeApart(text)).equals(text)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('an attachment is found decoded and whole, whichever line ends it has and however its last line is filled', () => {
  for (const end of ['crlf', 'lf'] as const) {
    for (const base64 of [60, 64, 76]) {
      for (let more = 0; more < base64; more += 1) {
        const decoded = random.bytes(6_000 + more);
        const text = mail(decoded, { base64, end });
        const pieces = takeApart(text);
        expect(pieces.filter(({ shape }) => shape !== null)).toEqual([{ bytes: decoded, shape: { base64, end } }]);
        expect(joined(pieces).equals(text)).toBe(true);
      }
    }
  }
});

test('text that only looks like base64 stays text', () => {
  const notCanonical = mail(random.bytes(6_000), { base64: 76, end: 'crlf' })
    .toString()
    .replace(/.(=*)\r\n--b/, '$1\r\n--b');
  const texts = [
    `${'word '.repeat(19).slice(0, 76)}\r\n`.repeat(500),
    `${`${'='.repeat(75)}A`}\r\n`.repeat(500),
    `${'A'.repeat(76)}\r\n`.repeat(63),
    notCanonical,
  ];
  for (const text of texts) expect(joined(takeApart(Buffer.from(text))).toString()).toBe(text);
  expect(takeApart(Buffer.from(texts[0] ?? '')).every(({ shape }) => shape === null)).toBe(true);
});

test('a broken line ends a run, and the next one begins behind it', () => {
  const shape = { base64: 76, end: 'crlf' } as const;
  const [one, two] = [random.bytes(57 * 100), random.bytes(57 * 100)];
  const text = Buffer.concat([encodeLines(one, shape), Buffer.from('\r\n!broken!\r\n'), encodeLines(two, shape)]);
  const pieces = takeApart(text);
  expect(pieces.map(({ bytes, shape: of }) => (of === null ? bytes.toString() : bytes))).toEqual([
    one,
    '\r\n!broken!\r\n',
    two,
  ]);
});

test.each(['-', '_', '=', ' ', '\t', '\n', '\0', '\xe9'])(
  'a %j within the lines of a long run ends it at its line',
  (stranger) => {
    const shape = { base64: 76, end: 'crlf' } as const;
    const decoded = random.bytes(57 * 1_000);
    for (const line of [1, 70, 127, 128, 300, 999]) {
      const text = encodeLines(decoded, shape);
      text.write(stranger, line * 78 + (line % 76), 'latin1');
      const pieces = takeApart(text);
      expect(joined(pieces).equals(text)).toBe(true);
      const runs = pieces.filter(({ shape: of }) => of !== null).map(({ bytes }) => Math.floor(bytes.length / 57));
      expect(runs).toEqual([line, 999 - line].filter((lines) => lines >= 64));
    }
  },
);

test('a last line with more than one meaning, or behind another end than the others, stays text', () => {
  const shape = { base64: 76, end: 'crlf' } as const;
  const lines = encodeLines(random.bytes(57 * 100), shape).toString();
  const tails = [
    '\r\nQR==',
    '\r\nQUJ=',
    '\r\nQQ=',
    '\r\nQQ==QQ==',
    '\nQQ==',
    '--QQ==',
    'AAQQ==',
    '\r\n\r\nQQ==',
    '\r\nQQ-_',
  ];
  for (const tail of tails) {
    const pieces = takeApart(Buffer.from(lines + tail));
    expect(pieces.map(({ shape: of }) => of)).toEqual([shape, null]);
    expect(joined(pieces).toString()).toBe(lines + tail);
  }
});

test('hostile text costs time in proportion to its length', () => {
  const hostile = [
    `${'A'.repeat(75)}!\r\n`, // full lines that fail at their last character
    `${'A'.repeat(76)}\r\n`.repeat(63).concat('!\r\n'), // runs that are one line too short
    `${'='.repeat(76)}\r\n`,
    'A\n',
    'A'.repeat(1_001),
  ];
  for (const pattern of hostile) {
    const cost = (length: number) => {
      const text = Buffer.from(pattern.repeat(Math.ceil(length / pattern.length)));
      const begun = process.cpuUsage().user;
      takeApart(text);
      return process.cpuUsage().user - begun;
    };
    cost(200_000);
    // A square would be 64 times as much for eight times the length.
    expect(cost(8_000_000)).toBeLessThan(32 * Math.max(cost(1_000_000), 2_000));
  }
});
