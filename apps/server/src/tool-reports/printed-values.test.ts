import { processorMs } from '@keepwatch/sandbox/testing/processor-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../foundation/errors.ts';
import { readPrinted, TEXT_LINES_MAX, VALUES_MAX } from './printed-values.ts';

function refusalOf(body: string): Refusal {
  try {
    readPrinted(body);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('It was read.');
}

describe('the output of a tool', () => {
  it('is read value by value in any layout', () => {
    const values = fc.array(fc.oneof(fc.object(), fc.array(fc.jsonValue())), { maxLength: 8 });
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 1, 4), (all, indent) => {
        const plain = all.map((value) => JSON.parse(JSON.stringify(value)));
        const body = plain.map((value) => JSON.stringify(value, null, indent)).join('\n');
        expect(readPrinted(body).map((one) => ('value' in one ? one.value : one.text))).toEqual(plain);
      }),
    );
  });

  it('includes lines of text between values, each with its number', () => {
    expect(readPrinted('warming up\r\n{"a":\n1}\n[0:12] 100.00%\nFatal: no\n')).toEqual([
      { line: 1, text: 'warming up' },
      { line: 2, value: { a: 1 } },
      { line: 4, text: '[0:12] 100.00%' },
      { line: 5, text: 'Fatal: no' },
    ]);
  });

  it('is read as text from a truncated last value on', () => {
    expect(readPrinted('{"a":1}\n{"b":"never fin')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, text: '{"b":"never fin' },
    ]);
  });

  it.each([
    ['{"a":1}\n{"b":}\n{"c":1}', 2],
    ['{"a":1,}', 1],
    ['{"never": "closed', 1],
  ])('400: says in which line %j is not valid', (body, line) => {
    expect(refusalOf(body)).toMatchObject({ status: 400, code: 'MALFORMED_JSON' });
    expect(refusalOf(body).message).toContain(`Line ${line} `);
  });

  it('may have a line of text that begins like a list, before other values', () => {
    expect(readPrinted('[warning: late\n[1]\n[0:12]\n[note\n')).toEqual([
      { line: 1, text: '[warning: late' },
      { line: 2, value: [1] },
      { line: 3, text: '[0:12]' },
      { line: 4, text: '[note' },
    ]);
    expect(readPrinted('[0:12] 100.00%\n[\n1\n]')).toEqual([
      { line: 1, text: '[0:12] 100.00%' },
      { line: 2, value: [1] },
    ]);
  });

  it('413: is refused for more values than any tool prints', () => {
    expect(readPrinted('{}'.repeat(VALUES_MAX))).toHaveLength(VALUES_MAX);
    expect(refusalOf('{}'.repeat(VALUES_MAX + 1))).toMatchObject({ status: 413, code: 'TOO_MANY_VALUES' });
  });

  it('is read completely when a value follows very many lines of text', () => {
    const lines = `${'line\n'.repeat(TEXT_LINES_MAX)}one\n[two\n{"a":1}\nend`;
    expect(readPrinted(lines).slice(TEXT_LINES_MAX)).toEqual([
      { line: TEXT_LINES_MAX + 1, text: 'one\n[two' },
      { line: TEXT_LINES_MAX + 3, value: { a: 1 } },
      { line: TEXT_LINES_MAX + 4, text: 'end' },
    ]);
  });

  const MOST_BYTES = 8 * 1024 * 1024;
  it.each(['{', '[', '[\n', '{"a":\n', 'x\n{"a":\n', '[a\n', '["\n', '[\n]x', '{}', '[]', '[1]\n', '[x]'])(
    'of 8 MB of %j is read with less than two seconds of CPU time',
    async (unit) => {
      const body = unit.repeat(Math.floor(MOST_BYTES / unit.length));
      const read = () => {
        try {
          expect(readPrinted(body).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      };
      expect(await processorMs(read)).toBeLessThan(2_000);
    },
  );
});
