import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storedMessage } from '../../stored-message.ts';
import { causeOf } from './cause-of.ts';
import { messageShape } from './message-shape.ts';

const JOB = {
  jobInstanceUid: '00000000-0000-4000-8000-000000000001',
  sourceId: '00000000-0000-4000-8000-0000000000aa',
  companyId: null,
  jobName: 'Nightly',
  companyName: null,
  serverName: null,
  targetName: null,
};
const keyOf = (message: string) => causeOf({ kind: 'failed', message, anomalies: [], job: JOB }).key;

/** Letters of many scripts, without those of units and of names of hosts. */
const ALPHABETS = [
  'bcfjklnopqrtvwxz',
  'абвгдежзик',
  'αβγδεζηθ',
  'אבגדהו',
  'ابتثجح',
  'कखगघच',
  '東京都庁備',
  'กขคงจ',
  '가나다라마',
];
const word = fc
  .constantFrom(...ALPHABETS)
  .chain((letters) => fc.array(fc.constantFrom(...letters), { minLength: 2, maxLength: 9 }))
  .map((letters) => letters.join(''));
const words = fc.array(word, { minLength: 1, maxLength: 12 });

describe('the shape of a message', () => {
  it('does not change with a counter, in any script', () => {
    fc.assert(
      fc.property(words, words, fc.nat(), fc.nat(), (before, after, one, other) => {
        const of = (count: number) => messageShape([...before, count, ...after].join(' '), []);
        expect(of(other)).toBe(of(one));
      }),
    );
  });

  it('changes with one letter of a word, in any script', () => {
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), fc.nat(), (all, which, at, count) => {
        const place = which % all.length;
        const changed = all.map((text, index) => (index === place ? withOtherLetter(text, at) : text));
        const shapeOf = (texts: readonly string[]) => messageShape([...texts, '-', count].join(' '), []);
        expect(shapeOf(changed)).not.toBe(shapeOf(all));
      }),
    );
  });

  it('is found for any text, and always the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.array(fc.string()), (text, names) => {
        expect(messageShape(text, names)).toBe(messageShape(text, names));
      }),
    );
  });
});

function withOtherLetter(text: string, at: number): string {
  const letters = [...text];
  const index = at % letters.length;
  letters[index] = letters[index] === 'k' ? 'q' : 'k';
  return letters.join('');
}

/** The worst that the patterns may be given. */
const HOSTILE = [
  'license of the certificate for ',
  'connect to host a',
  'a@',
  '"\\\\x',
  '1.',
  '1,',
  '# @ ',
  'free space on ',
  'login to x ',
  'A-',
  '/x',
  'repository "',
  '東1',
  '[::1',
  'on a ',
  'login failed for user on ',
  'cannot connect to 1s1',
  'code 0x',
  'connect ECONNREFUSED ::1',
];

describe('a message of 100 kB', () => {
  it.each(HOSTILE)('is read in milliseconds: %s', (part) => {
    const message = part.repeat(Math.ceil(100_000 / part.length));
    const begin = performance.now();
    keyOf(message);
    expect(performance.now() - begin).toBeLessThan(500);
  });

  it('is the same with another counter, and another one with another last letter', () => {
    const of = (count: number, end: string) => keyOf(`Step ${count} ${'of the copy stopped '.repeat(5_000)}${end}`);
    expect(of(10_000, 'x')).toBe(of(9, 'x'));
    expect(of(9, 'y')).not.toBe(of(9, 'x'));
  });

  const words = (count: number) => 'of the copy stopped '.repeat(count);

  it('is the same with another counter where it was cut when it was stored', () => {
    const of = (count: number) => keyOf(storedMessage(`Step ${count} ${words(5_000)} ${count} steps`));
    expect(of(10_000)).toBe(of(9));
    const cutOut = (count: number) => keyOf(storedMessage(`${words(200)} step ${count} ${words(200)}`));
    expect(cutOut(10_000)).toBe(cutOut(9));
  });

  it.each([
    ['at its beginning', (word: string) => `${word} ${words(5_000)}`],
    ['within its beginning', (word: string) => `${words(80)} ${word} ${words(5_000)}`],
    ['within its end', (word: string) => `${words(5_000)} ${word} ${words(80)}`],
    ['at its end', (word: string) => `${words(5_000)} ${word}`],
  ])('is another one with another word %s where it was cut', (_where, message) => {
    const of = (word: string) => keyOf(storedMessage(message(word)));
    expect(of('disk')).not.toBe(of('tape'));
  });
});
