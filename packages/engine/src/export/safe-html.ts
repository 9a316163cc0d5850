/** Text for between tags and within quotes. */
export function encoded(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const PLAIN = new Set(
  'p div span b strong i em u s sub sup ul ol li blockquote pre code h1 h2 h3 h4 table thead tbody tr td th'.split(' '),
);
/** Deeper ones are passed over: a hostile text of a million would take a browser its memory. */
const DEPTH_MAX = 200;
const WITHOUT_END = new Set(['br', 'hr']);
/** Whose text is none: it goes with the tag. */
const HIDDEN = /<(script|style|template|iframe|object|svg|math|title|textarea|noscript)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
/** A tag, a text, or a `<` that begins none. */
const TOKEN = /<\/?[a-z][^<>]*>|<!--[\s\S]*?(?:-->|$)|[^<]+|</gi;
const ENTITY_OR_AMPERSAND = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});|&/gi;

/** Where a picture is in the archive; `null` for one that is not in it. */
export type ImageOf = (address: string) => string | null;

/**
 * HTML that another person has written, as HTML that can do nothing: only tags of a short list come out, closed in their order and without
 * any attribute of theirs but addresses of the web. All else is text.
 */
export function safeHtml(html: string, imageOf: ImageOf): string {
  const open: string[] = [];
  let out = '';
  for (const [token] of html.replaceAll(HIDDEN, '').matchAll(TOKEN)) {
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z\d]*)/i.exec(token) ?? [];
    if (token.startsWith('<!--')) continue;
    if (slash === undefined) out += encodedText(token);
    else out += slash === '/' ? closed(open, name.toLowerCase()) : opened(open, name.toLowerCase(), token, imageOf);
  }
  return (
    out +
    open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  );
}

function opened(open: string[], name: string, token: string, imageOf: ImageOf): string {
  if (WITHOUT_END.has(name)) return `<${name}>`;
  if (name === 'img') return image(imageOf(attributeOf(token, 'src')));
  const href = name === 'a' ? attributeOf(token, 'href') : '';
  const isLink = /^(?:https?|mailto):/i.test(href);
  // A mention: its text is a name.
  const as = name === 'at' ? 'b' : name;
  if ((!isLink && !PLAIN.has(as)) || open.length >= DEPTH_MAX) return '';
  open.push(as);
  return isLink ? `<a href="${encoded(href)}" rel="noopener noreferrer">` : `<${as}>`;
}

const image = (path: string | null) => (path === null ? '<i>[picture]</i>' : `<img src="${encoded(path)}" alt="">`);

/** Closes a tag with all that were opened within it; one that is not open is nothing. */
function closed(open: string[], name: string): string {
  const at = open.lastIndexOf(name === 'at' ? 'b' : name);
  if (at < 0) return '';
  return open
    .splice(at)
    .toReversed()
    .map((one) => `</${one}>`)
    .join('');
}

function attributeOf(token: string, name: string): string {
  const [, , double, single, bare] =
    new RegExp(`\\s(${name})\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(token) ?? [];
  return (double ?? single ?? bare ?? '').replaceAll('&amp;', '&').trim();
}

const encodedText = (text: string) =>
  text
    .replaceAll(ENTITY_OR_AMPERSAND, (found) => (found === '&' ? '&amp;' : found))
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
