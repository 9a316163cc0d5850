import stringWidth from 'string-width';

/** Columns that a text takes at a terminal: characters of Chinese, Japanese and Korean, and emoji, take two. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** A name may hold anything; what moves a terminal's cursor or turns text around is not shown as such. Joiners of emoji stay. */
export function harmless(text: string): string {
  return text.replaceAll(/(?![\u{200c}\u{200d}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The text if it takes at most so many columns, else its beginning with `…`. What a reader sees as one character is never halved. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 0) return '';
  let beginning = '';
  let width = 0;
  for (const { segment } of CHARACTERS.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    beginning += segment;
  }
  return `${beginning.trimEnd()}…`;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - widthOf(text))) + text;
}
