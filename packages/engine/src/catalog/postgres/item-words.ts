import type { Item, ItemKind } from '../../model/items.ts';
import { addressesOf, wordsOf } from './words.ts';

/** Where a word may be asked for by itself. */
export type Field = 'from' | 'to' | 'subject' | 'fileName' | 'kind';

/** More of a body is not searched: a novel would fill the index. */
const TEXT_LENGTH_MAX = 65_536;
/** PostgreSQL knows no later place: https://www.postgresql.org/docs/18/textsearch-limitations.html */
const PLACE_MAX = 16_383;
/** Between two fields, so that no phrase reaches from one into the next. */
const FIELD_GAP = 8;
const FILE_LIKE = new Set<ItemKind>(['file', 'folder']);

/**
 * The word as it stands in the index: its repository first, so that repositories share no words; then the field, if it is one's, behind
 * a sign of its own, so that no beginning of a word is taken for a field.
 */
export function lexeme(repository: number, word: string, field?: Field): string {
  const name = `${repository.toString(36)}${field === undefined ? ':' : `.${field}:`}${word}`;
  return `'${name.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\0', '')}'`;
}

/** All words of an item as the text of a `tsvector`: of its names, people and text, and once more of each field. */
export function itemWords(repository: number, item: Item, text: string): string {
  const places = new Map<string, number[]>();
  const add = (name: string, place: number) => {
    const known = places.get(name);
    if (known === undefined) places.set(name, [place]);
    else known.push(place);
  };
  let start = 1;
  for (const [content, field] of partsOf(item, text)) {
    let last = start;
    for (const { word, place } of wordsOf(content)) {
      last = Math.min(start + place, PLACE_MAX);
      add(lexeme(repository, word), last);
      if (field !== null) add(lexeme(repository, word, field), last);
    }
    if (field === 'from' || field === 'to') {
      for (const address of addressesOf(content)) add(lexeme(repository, address, field), start);
    }
    start = Math.min(last + FIELD_GAP, PLACE_MAX);
  }
  add(lexeme(repository, item.kind, 'kind'), 1);
  return [...places].map(([name, at]) => `${name}:${at.slice(0, 200).join(',')}`).join(' ');
}

function partsOf({ kind, name, details }: Item, text: string): [string, Field | null][] {
  const { from, to = [], cc = [], bcc = [], attachmentNames = [] } = details;
  return [
    [name, FILE_LIKE.has(kind) ? 'fileName' : 'subject'],
    [from ?? '', 'from'],
    ...[...to, ...cc, ...bcc].map((one): [string, Field] => [one, 'to']),
    ...attachmentNames.map((one): [string, Field] => [one, 'fileName']),
    [text.slice(0, TEXT_LENGTH_MAX), null],
  ];
}
