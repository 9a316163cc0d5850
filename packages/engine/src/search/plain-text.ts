/** Text out of HTML, for the search: what is in tags, scripts and styles is left out. One pass, in linear time. */
export function plainText(html: string): string {
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) return text + decodeEntities(html.slice(at));
    text += `${decodeEntities(html.slice(at, open))} `;
    at = endOfTag(html, open);
  }
  return text;
}

const HIDDEN = ['script', 'style', 'head', 'title'];

/** Behind a tag, or behind the text in a hidden element. What is never closed hides the rest. */
function endOfTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) return behind(html, '-->', open);
  const close = html.indexOf('>', open);
  if (close === -1) return html.length;
  const name = /^<([a-z]+)/i.exec(html.slice(open, open + 10))?.[1]?.toLowerCase();
  if (name === undefined || !HIDDEN.includes(name)) return close + 1;
  const end = new RegExp(`</${name}`, 'gi');
  end.lastIndex = close;
  const found = end.exec(html);
  return found === null ? html.length : behind(html, '>', found.index);
}

function behind(html: string, what: string, from: number): number {
  const at = html.indexOf(what, from);
  return at === -1 ? html.length : at + what.length;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
