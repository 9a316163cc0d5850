import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tries } from '../../../../../../tools/soak.ts';
import { Random } from '../../../testing/random.ts';
import { isObject } from '../json.ts';
import { jsonWithBytes, type PlaceOfBytes } from './json-with-bytes.ts';

const random = new Random(11);
const place: PlaceOfBytes = { list: 'responses', member: 'body', isBase64: ({ isText }) => isText !== true };
const long = random.bytes(1_000);
const base64 = (sizeBytes: number) => long.toString('base64', 0, sizeBytes);
const read = (text: string) => jsonWithBytes(Buffer.from(text), place);

/** The same however it was read: bytes as they are used. */
function asUsed(parsed: unknown): unknown {
  if (!isObject(parsed) || !Array.isArray(parsed['responses'])) return parsed;
  const responses = parsed['responses'].map((entry) => {
    const body = isObject(entry) && place.isBase64(entry) ? entry['body'] : undefined;
    return typeof body === 'string' ? { ...entry, body: Buffer.from(body, 'base64') } : entry;
  });
  return { ...parsed, responses };
}

/** What a reading comes to; a failure is one whatever its words. */
function outcome(reading: () => unknown): unknown {
  try {
    return { value: asUsed(reading()) };
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON' : error;
  }
}

function isSame(reply: Buffer): boolean {
  return isDeepStrictEqual(
    outcome(() => jsonWithBytes(reply, place)),
    outcome(() => JSON.parse(reply.toString())),
  );
}

describe('JSON with bytes', () => {
  test('gives the bytes of long base64 in its place, whatever the order of properties', () => {
    const [one, other] = [random.bytes(1_000), random.bytes(1_001)];
    const reply = {
      responses: [
        { id: '0', status: 200, body: one.toString('base64') },
        { body: other.toString('base64'), id: '1', headers: { a: 'ä' } },
        { id: '2', status: 404, body: { error: { code: 'gone', message: 'It "is" gone' } } },
        { id: '3', body: 'QUJD' },
        'no entry',
      ],
      next: 'é😀',
    };
    expect(read(JSON.stringify(reply))).toEqual({
      ...reply,
      responses: [
        { id: '0', status: 200, body: one },
        { body: other, id: '1', headers: { a: 'ä' } },
        reply.responses[2],
        reply.responses[3],
        'no entry',
      ],
    });
  });

  test('refers to nothing of the reply, whose memory is used again', () => {
    const bytes = random.bytes(900);
    const reply = Buffer.from(JSON.stringify({ responses: [{ id: 'é', body: bytes.toString('base64') }] }));
    const parsed = jsonWithBytes(reply, place);
    reply.fill(0);
    expect(parsed).toEqual({ responses: [{ id: 'é', body: bytes }] });
  });

  test('leaves as text what is no plain base64, and all beside it', () => {
    const usual = base64(600);
    const unusual = [
      `${usual.slice(0, 76)}\r\n${usual.slice(76)}`,
      `${usual.slice(0, 400)}====${usual.slice(404)}`,
      `${usual.slice(0, 400)}😀${usual.slice(402)}`,
      `${usual.slice(0, 400)}"${usual.slice(401)}`,
      `${usual.slice(0, 399)} `,
      'word '.repeat(80),
    ];
    for (const body of unusual) {
      const reply = { responses: [{ body: usual }, { body }] };
      expect(read(JSON.stringify(reply))).toEqual(reply);
    }
    const escaped = JSON.stringify({ responses: [{ body: 'ab/+'.repeat(100) }] }).replaceAll('/', '\\/');
    expect(read(escaped)).toEqual(JSON.parse(escaped));
  });

  test('leaves as text what is in another place', () => {
    const body = base64(600);
    for (const reply of [
      { responses: [{ body: { body } }] },
      { responses: { body } },
      { responses: [[{ body }]] },
      { responses: [{ isText: true, body }, { body }] },
      { 'responses ': [{ body }] },
      { responses: [{ 'x"body': body }] },
      { responses: [{ text: `,"body":"${body}"` }] },
      [{ body }],
    ])
      expect(read(JSON.stringify(reply))).toEqual(reply);
    const twice = `{"responses":[{"body":"${body}","body":"${base64(300)}"}]}`;
    expect(read(twice)).toEqual(JSON.parse(twice));
  });

  test('throws for what is no JSON: without an end, with a line break within a text, with text outside of any', () => {
    const body = base64(600);
    for (const text of [
      '',
      '{"responses":[{"body":"',
      `{"responses":[{"body":"${body}`,
      `{"responses":[{"body":"${body}"}`,
      `{"responses":[{"body":"${body.slice(0, 76)}\n${body.slice(77)}"}]}`,
      `{"responses":[{"a":"b"body":"${body}"}]}`,
      `{"responses":[{"body":"${body}""}]}`,
      `\ufeff{"responses":[{"body":"${body}"}]}`,
    ])
      expect(() => read(text), text.slice(0, 40)).toThrow(SyntaxError);
  });

  test('is the same as plain JSON for whatever reply', () => {
    const piece = fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 400 }).map(base64) },
      fc.constantFrom(
        '\n',
        '\\',
        '"',
        '/',
        '=',
        '==',
        '-_',
        'A',
        '😀',
        '\ud800',
        'é',
        '\u0001',
        ' ',
        '","body":"',
        '\u0000',
      ),
      fc.string({ maxLength: 12 }),
    );
    const text = fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 150, max: 900 }).map(base64) },
      fc.integer({ min: 150, max: 900 }).map((size) => long.toString('base64url', 0, size)),
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
    );
    const value = fc.oneof(text, fc.jsonValue({ maxDepth: 1 }), fc.record({ body: text }));
    const entry = fc
      .uniqueArray(
        fc.tuple(fc.oneof(fc.constantFrom('body', 'id', 'isText', '__proto__', 'x"body'), fc.string()), value),
        { selector: ([name]) => name, maxLength: 4 },
      )
      .map((members) => `{${members.map((member) => member.map((one) => JSON.stringify(one)).join(':')).join(',')}}`);
    const list = fc.array(entry, { maxLength: 4 }).map((entries) => `[${entries.join(',')}]`);
    const whole = fc
      .array(fc.tuple(fc.constantFrom('responses', 'value'), list), { minLength: 1, maxLength: 2 })
      .map((lists) => `{${lists.map(([name, entries]) => `"${name}":${entries}`).join(',')}}`);
    const damage = fc.record({ at: fc.nat(), by: fc.constantFrom('', '"', '\\', '\\/', '\n', '\\n', ',', 'ä') });
    fc.assert(
      fc.property(whole, fc.option(damage, { freq: 2 }), fc.boolean(), (reply, broken, isCut) => {
        const at = broken === null ? 0 : broken.at % (reply.length + 1);
        const damaged =
          broken === null ? reply : `${reply.slice(0, at)}${broken.by}${isCut ? '' : reply.slice(at + 1)}`;
        expect(isSame(Buffer.from(damaged)), damaged).toBe(true);
      }),
      { numRuns: tries(100, 3_000) },
    );
  });

  test('is the same as plain JSON for bytes that are no UTF-8', () => {
    const reply = Buffer.from(`{"responses":[{"name":"äöü","body":"${base64(400)}"},{"body":"${base64(600)}"}]}`);
    for (let at = 0; at < reply.length; at += 5) {
      const damaged = Buffer.from(reply);
      damaged[at] = random.bytes(1)[0] ?? 0;
      expect(isSame(damaged)).toBe(true);
    }
  });
});
