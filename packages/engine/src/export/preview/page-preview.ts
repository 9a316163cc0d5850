import type { ItemVersion } from '../../model/items.ts';
import { isObject, textOf } from '../../source/graph/json.ts';
import { type ExportParts, readProperties } from '../export-parts.ts';
import { safeHtml } from '../safe-html.ts';
import type { ItemPreview } from './preview.ts';

const CHARACTERS_MAX = 200_000;

/** The texts of a page, in their order; https://learn.microsoft.com/graph/api/resources/textwebpart */
export async function pagePreview(parts: ExportParts, item: ItemVersion): Promise<Pick<ItemPreview, 'html' | 'isCut'>> {
  const { canvasLayout } = await readProperties(parts, item);
  const html = [...textsIn(canvasLayout)].join('\n');
  if (html === '') return { html: null, isCut: false };
  return { html: safeHtml(html.slice(0, CHARACTERS_MAX), () => null), isCut: html.length > CHARACTERS_MAX };
}

/** `innerHtml` wherever it is: sections have columns, and those have web parts. */
function* textsIn(layout: unknown): Generator<string> {
  if (Array.isArray(layout)) for (const one of layout) yield* textsIn(one);
  if (!isObject(layout)) return;
  for (const [name, value] of Object.entries(layout))
    if (name === 'innerHtml') yield textOf(value) ?? '';
    else yield* textsIn(value);
}
