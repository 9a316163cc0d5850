import type { SearchQuery } from '../../catalog.ts';
import { type Field, lexeme } from './item-words.ts';
import type { WordScope } from './search-periods.ts';
import { wholeWords } from './words.ts';

/** Next to each other, in this order. An index of words has none of their places: each entry with the words has to be read. */
export const NEIGHBOURS = ' <-> ';
/** Anywhere: what the index answers alone, and more than is asked for. */
export const TOGETHER = ' & ';
type Between = typeof NEIGHBOURS | typeof TOGETHER;

/**
 * What a search asks of words, as the text of a `tsquery`; `null` when it asks nothing of them, `''` when it asks for what cannot be
 * found, such as a text of nothing but signs. Every word is quoted, so no sign in it is read as an operator.
 * @param between what is required of the words of a sequence
 */
export function question(scope: WordScope, query: SearchQuery, between: Between): string | null {
  const asked = [
    query.text === undefined ? null : termsOf(scope, between, query.text),
    query.subject === undefined ? null : termsOf(scope, between, query.subject, 'subject'),
    query.fileName === undefined ? null : termsOf(scope, between, query.fileName, 'fileName'),
    query.from === undefined ? null : peopleOf(scope, between, query.from, 'from'),
    query.to === undefined ? null : peopleOf(scope, between, query.to, 'to'),
  ].filter((terms) => terms !== null);
  if (asked.length === 0) return null;
  return asked.some((terms) => terms.length === 0) ? '' : asked.flat().join(' & ');
}

/** Each term a sequence of words; what is in quotes is one term. Only the last, out of quotes, may be a beginning. */
function termsOf(scope: WordScope, between: Between, text: string, field?: Field): string[] {
  const terms = [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)].flatMap(([whole, quoted]) => {
    const words = wholeWords(quoted ?? whole);
    return words.length === 0 ? [] : [{ words, isQuoted: quoted !== undefined }];
  });
  return terms.map(({ words, isQuoted }, at) => {
    const mayBegin = at === terms.length - 1 && !isQuoted;
    return sequence(
      words.map((word) => lexeme(scope, word, field)),
      mayBegin,
      between,
    );
  });
}

/** People by words of their names, or by an address, its local part or its domain. All of them may be beginnings. */
function peopleOf(scope: WordScope, between: Between, text: string, field: Field): string[] {
  return text.split(/[\s<>"]+/).flatMap((term) => {
    const address = term
      .toLowerCase()
      .normalize('NFKC')
      .replace(/^@|[,;]+$/g, '');
    const words = wholeWords(term).map((word) => lexeme(scope, word, field));
    if (words.length === 0) return [];
    const isOne = words.length === 1;
    const together = sequence(words, true, between);
    return [isOne ? together : `(${lexeme(scope, address, field)}:* | ${together})`];
  });
}

function sequence(lexemes: readonly string[], mayBegin: boolean, between: Between): string {
  const text = lexemes.join(between) + (mayBegin ? ':*' : '');
  return lexemes.length === 1 ? text : `(${text})`;
}
