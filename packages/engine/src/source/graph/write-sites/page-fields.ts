import type { JsonObject } from '../json.ts';

/** Of a page, what its author says; https://learn.microsoft.com/graph/api/resources/sitepage */
const PAGE_PARTS = [
  'title',
  'description',
  'pageLayout',
  'promotionKind',
  'showComments',
  'showRecommendedPages',
  'thumbnailWebUrl',
  'titleArea',
  'canvasLayout',
];

export function partsOf(page: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(page).filter(([name]) => PAGE_PARTS.includes(name)));
}

/** What its author says of a page, as a text to compare. */
export const pageText = (page: JsonObject): string =>
  JSON.stringify(PAGE_PARTS.map((name) => [name, page[name] ?? null]));
