/** A word with its place in the text; neighbouring words have places that differ by one. */
export interface Word {
  word: string;
  place: number;
}

/** Longer words are cut, here and in questions alike. */
const WORD_LENGTH_MAX = 64;
/** Scripts that put no space between words: each character is a word, and what is asked for is their sequence. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}';
/** Korean may follow another script without a space, as in `PDF를`: there a word ends. */
const ONE_SCRIPT = new RegExp(`[${UNSPACED}]|\\p{Script=Hangul}+|[^${UNSPACED}\\p{Script=Hangul}]+`, 'gu');
const PLAIN = /^[0-9A-Za-z]*$/;
const RUN = /[\p{L}\p{N}]+/gu;
/** Within `QuarterReport2026` and `PDFReader`: where a person would begin a new word. */
const INNER = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
const ADDRESS = /[\p{L}\p{N}!#$%&*+\-/=?^_{|}~.]+@[\p{L}\p{N}.-]+\p{L}/gu;

/**
 * The words of a text without case and accents, in order: runs of letters and digits, so that what is between `.`, `_`, `-` or `@` is
 * a word. Of a run in mixed case the parts are words as well, at the place of the whole.
 */
export function* wordsOf(text: string): Generator<Word> {
  let place = 0;
  for (const run of runsOf(text)) {
    for (const word of new Set([run, ...run.split(INNER)])) yield { word: folded(word), place };
    place += 1;
  }
}

/** The words of a long text or a question: as `wordsOf`, without the parts of runs, which names have and sentences hardly do. */
export function wholeWords(text: string): string[] {
  return [...runsOf(text)].map(folded);
}

function* runsOf(text: string): Generator<string> {
  for (const [run] of text.normalize('NFKD').replace(/\p{M}/gu, '').matchAll(RUN)) {
    if (PLAIN.test(run)) yield run;
    else yield* run.match(ONE_SCRIPT) ?? [];
  }
}

function folded(run: string): string {
  return run.toLowerCase().slice(0, WORD_LENGTH_MAX).toWellFormed();
}

/** Of each mail address in a text: the whole, the part before the `@`, and the domain. */
export function addressesOf(text: string): string[] {
  return [...text.toLowerCase().normalize('NFKC').matchAll(ADDRESS)].flatMap(([address]) => {
    const at = address.lastIndexOf('@');
    return [address, address.slice(0, at), address.slice(at + 1)].map((part) => part.slice(0, 4 * WORD_LENGTH_MAX));
  });
}
