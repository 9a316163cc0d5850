import type { ItemPreview } from '@keepwatch/contract/restore/previews';

/** Elements after which a reader sees a new line. */
const BLOCKS = 'p, div, br, hr, li, tr, h1, h2, h3, h4, pre, blockquote';

/** The lines of a text or a message; `null` for what is neither. HTML is read as a document that is never shown, in which nothing runs. */
export function linesOf({ html, text }: Pick<ItemPreview, 'html' | 'text'>): string[] | null {
  if (html !== null) return linesIn(textOfHtml(html)).filter((line) => line.trim() !== '');
  return text === null ? null : linesIn(text);
}

function linesIn(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function textOfHtml(html: string): string {
  const document = new DOMParser().parseFromString(html, 'text/html');
  for (const block of document.querySelectorAll(BLOCKS)) block.after('\n');
  return document.body.textContent ?? '';
}
