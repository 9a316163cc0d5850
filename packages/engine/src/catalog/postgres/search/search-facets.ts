import type { SearchQuery } from '../../catalog.ts';
import { lexeme, SIZE_CLASSES, sizeClass, sizeFacet } from './item-words.ts';
import type { WordScope } from './search-periods.ts';

/** More objects than this are not asked of the index of words. */
const OBJECTS_MAX = 20;

/**
 * What a search asks of sizes, kinds, attachments and objects, as texts of `tsquery`s that must all hold. The index then gives few
 * entries where a word is frequent and the rest is not. They are wider than what is asked; the columns decide.
 */
export function facetTerms(scope: WordScope, query: SearchQuery, objects: readonly number[] | null): string[] {
  const { kinds, hasAttachments } = query;
  const asked: string[][] = [
    kinds?.map((kind) => lexeme(scope, kind, 'kind')) ?? [],
    sizeClasses(query).map((size) => lexeme(scope, size, 'size')),
    hasAttachments === undefined ? [] : [lexeme(scope, hasAttachments ? 'yes' : 'no', 'attachments')],
    objects === null || objects.length > OBJECTS_MAX
      ? []
      : objects.map((object) => lexeme(scope, object.toString(36), 'object')),
  ];
  return asked.filter((any) => any.length > 0).map((any) => (any.length === 1 ? any.join('') : `(${any.join(' | ')})`));
}

/** The classes of sizes between the bounds, as few as say it; none where that would be all of them. */
function sizeClasses({ sizeFrom = 0, sizeTo = Number.MAX_SAFE_INTEGER }: SearchQuery): string[] {
  const { first, last, aDoubling } = SIZE_CLASSES;
  const [from, to] = [sizeClass(sizeFrom), sizeClass(sizeTo)];
  const facets: string[] = [];
  if (from === first && to === last) return facets;
  for (let at = from; at <= to; ) {
    const isWhole = at % aDoubling === 0 && (at + aDoubling - 1 <= to || to === last);
    facets.push(sizeFacet(isWhole ? { doubling: at / aDoubling } : at));
    at += isWhole ? aDoubling : 1;
  }
  return facets;
}
