import { wordAt } from '../made-words.ts';

/** What is asked of a search; each round asks for other words of the same kind. */
export type Asked = Readonly<Record<string, string>>;

const between = (from: number, to: number) => (round: number) => wordAt(from + ((to - from) * (round % 20)) / 20);
const [frequent, medium, rare] = [between(0, 0.25), between(0.4, 0.6), between(0.85, 1)];
const day = (number: number) => new Date(Date.UTC(2015, 0, number)).toISOString();

/** What is asked of all mailboxes together. */
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
  ['with attachments', () => ({ hasAttachments: 'true' })],
  ['a word now and then with attachments', (round) => ({ text: medium(round), hasAttachments: 'true' })],
  ['a frequent word over all time', (round) => ({ text: frequent(round), allTime: 'true' })],
  ['a sender over all time', (round) => ({ from: `person${round % 503}@contoso.example`, allTime: 'true' })],
  ['a rare word over all time', (round) => ({ text: rare(round), allTime: 'true' })],
];

/** What is asked of one mailbox, the large one. */
export const MAILBOX_SEARCHES: typeof SEARCHES = [
  ['a frequent word in a mailbox', (round) => ({ text: frequent(round) })],
  ['a word now and then in a mailbox', (round) => ({ text: medium(round) })],
  ['no such word in a mailbox', (round) => ({ text: `missing${round}` })],
  ['a sender in a mailbox over all time', (round) => ({ from: `person${round % 503}`, allTime: 'true' })],
];

/** What is asked of one of its folders with all below it. */
export const FOLDER_SEARCHES: typeof SEARCHES = [
  ['a word now and then in a folder', (round) => ({ text: medium(round) })],
];
