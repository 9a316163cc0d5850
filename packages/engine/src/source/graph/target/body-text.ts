import { plainText } from '../../../search/plain-text.ts';

/** A body as Graph returns it, or as its MIME contains it. */
export interface Body {
  content: string;
  /** What is no HTML has no markup: a `<` in it is one that people wrote. */
  isHtml: boolean;
}

/** What people read of a body, without white space: servers put it into markup, and break lines, as they like. In linear time. */
export function bodyText({ content, isHtml }: Body): string {
  return (isHtml ? plainText(content) : content).normalize('NFC').replaceAll(/\s/g, '');
}

/** The same, and where its links lead. */
export function bodyTextAndLinks(body: Body): string {
  const links = body.isHtml ? body.content.matchAll(/\s(?:href|src)\s*=\s*["']([^"']*)/gi) : [];
  return [bodyText(body), ...[...links].map(([, link]) => link)].join(' ');
}
