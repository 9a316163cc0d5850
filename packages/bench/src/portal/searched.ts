import { wordAt } from '../made-words.ts';

/** What is asked of a search; each round asks for other words of the same kind. */
export type Asked = Readonly<Record<string, string>>;

const between = (from: number, to: number) => (round: number) => wordAt(from + ((to - from) * (round % 20)) / 20);
const [frequent, medium, rare] = [between(0, 0.25), between(0.4, 0.6), between(0.85, 1)];
const day = (number: number) => new Date(Date.UTC(2015, 0, number)).toISOString();

export const SEARCHES: readonly (readonly [name: string, asked: (round: number) => Asked])[] = [
  ['a frequent word', (round) => ({ text: frequent(round) })],
  ['a word now and then', (round) => ({ text: medium(round) })],
  ['a rare word', (round) => ({ text: rare(round) })],
  ['frequent and rare', (round) => ({ text: `${frequent(round)} ${rare(round)}` })],
  ['the beginning of a word', (round) => ({ text: medium(round).slice(0, 3) })],
  ['words side by side', (round) => ({ text: `"${frequent(round)} ${frequent(round + 3)}"` })],
  ['no such word', (round) => ({ text: `missing${round}` })],
  ['a sender', (round) => ({ from: `person${round % 503}@contoso.example` })],
  ['a frequent word of a sender', (round) => ({ text: frequent(round), from: `person${round % 503}` })],
  [
    'a frequent word of a week',
    (round) => ({ text: frequent(round), dateFrom: day(1 + round), dateTo: day(8 + round) }),
  ],
  ['a rare word over all time', (round) => ({ text: rare(round), allTime: 'true' })],
];
