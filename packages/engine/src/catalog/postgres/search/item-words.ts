import type { Item, ItemKind } from '../../../model/items.ts';
import { sortDate } from '../sort-keys.ts';
import { periodOf, type WordScope } from './search-periods.ts';
import { addressesOf, wholeWords, wordsOf } from './words.ts';

/** Where a word may be searched for alone. */
export type Field = 'from' | 'to' | 'subject' | 'fileName' | Facet;
/** What is no word, but is asked for together with words: the index then gives what has both, and nothing else is read. */
export type Facet = 'kind' | 'size' | 'attachments' | 'object';

/** More of a body is not searched: a novel would fill the index. */
const TEXT_LENGTH_MAX = 65_536;
/** PostgreSQL knows no later place: https://www.postgresql.org/docs/18/textsearch-limitations.html */
const PLACE_MAX = 16_383;
/** Between two fields, so that no phrase reaches from one into the next. */
const FIELD_GAP = 8;
/** Of a word that comes more often the first ones will do. */
const PLACES_MAX = 200;
const SPECIAL = /[\\'\0]/;
const FILE_LIKE = new Set<ItemKind>(['file', 'folder']);

/**
 * The word as it is in the index: its repository and period first, so that they share no words with others; then the field, if it is
 * one's, behind a sign of its own, so that no beginning of a word is mistaken for a field.
 */
export function lexeme(scope: WordScope, word: string, field?: Field): string {
  const quoted = SPECIAL.test(word) ? word.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\0', '') : word;
  return `'${scopeName(scope)}${field === undefined ? ':' : `.${field}:`}${quoted}'`;
}

function scopeName({ repository, period }: WordScope): string {
  return `${repository.toString(36)}-${period.toString(36)}`;
}

/** All words of an item as the text of a `tsvector`: of its names, people and text, once more of each field, and its facets. */
export function itemWords(
  repository: number,
  object: number,
  item: Item,
  text: string,
  attachmentNames: readonly string[] = [],
): string {
  const scope = { repository, period: periodOf(sortDate(item)) };
  const places = new Map<string, number[]>();
  const add = (name: string, place: number) => {
    const known = places.get(name);
    if (known === undefined) places.set(name, [place]);
    else if (known.length < PLACES_MAX) known.push(place);
  };
  let start = 1;
  for (const [content, field] of partsOf(item, text, attachmentNames)) {
    let last = start;
    // Of the text whole words alone: their parts would double the index, and it is names that are written together.
    const words = field === null ? wholeWords(content).map((word, place) => ({ word, place })) : wordsOf(content);
    for (const { word, place } of words) {
      last = Math.min(start + place, PLACE_MAX);
      add(lexeme(scope, word), last);
      if (field !== null) add(lexeme(scope, word, field), last);
    }
    if (field === 'from' || field === 'to') {
      for (const address of addressesOf(content)) add(lexeme(scope, address, field), start);
    }
    start = Math.min(last + FIELD_GAP, PLACE_MAX);
  }
  for (const [facet, value] of facetsOf(object, item)) add(lexeme(scope, value, facet), 1);
  return [...places].map(([name, at]) => `${name}:${at.join(',')}`).join(' ');
}

function facetsOf(object: number, item: Item): [Facet, string][] {
  const size = sizeClass(item.sizeBytes);
  return [
    ['kind', item.kind],
    ['size', sizeFacet(size)],
    ['size', sizeFacet({ doubling: Math.floor(size / SIZE_CLASSES.aDoubling) })],
    ['attachments', hasAttachments(item) ? 'yes' : 'no'],
    ['object', object.toString(36)],
  ];
}

export function hasAttachments({ details: { hasAttachments: reported, attachmentNames = [] } }: Item): boolean {
  return reported ?? attachmentNames.length > 0;
}

/** Sizes have a class for each sixteenth of a doubling; 1 KiB and less are of the first, 8 GiB and more of the last. */
export const SIZE_CLASSES = { first: 160, last: 528, aDoubling: 16 } as const;

export function sizeClass(bytes: number): number {
  const { first, last, aDoubling } = SIZE_CLASSES;
  return Math.max(first, Math.min(last, Math.floor(aDoubling * Math.log2(Math.max(1, bytes)))));
}

/** A class, or all of those from one doubling to the next at once. */
export function sizeFacet(classes: number | { doubling: number }): string {
  return typeof classes === 'number' ? String(classes) : `x${classes.doubling}`;
}

function partsOf({ kind, name, details }: Item, text: string, attached: readonly string[]): [string, Field | null][] {
  const { from, to = [], cc = [], bcc = [], attachmentNames = [] } = details;
  return [
    [name, FILE_LIKE.has(kind) ? 'fileName' : 'subject'],
    [from ?? '', 'from'],
    ...[...to, ...cc, ...bcc].map((one): [string, Field] => [one, 'to']),
    ...[...new Set([...attachmentNames, ...attached])].map((one): [string, Field] => [one, 'fileName']),
    [text.slice(0, TEXT_LENGTH_MAX), null],
  ];
}
