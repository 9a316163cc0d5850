import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encoded, safeHtml } from './safe-html.ts';

const show = (html: string) => safeHtml(html, (address) => (address.includes('hosted') ? 'images/1.png' : null));

/** Tags that may ever come out. */
const ALLOWED =
  /^<(?:\/?(?:p|div|span|b|strong|i|em|u|s|sub|sup|ul|ol|li|blockquote|pre|code|h[1-4]|table|thead|tbody|tr|td|th|a)|br|hr|a href="(?:https?|mailto):[^"<>]*" rel="noopener noreferrer"|img src="images\/1\.png" alt="")>$/i;

describe('HTML of others', () => {
  test('keeps what a person formatted', () => {
    expect(show('<p>Hello <b>you</b> &amp; me<br>2 &lt; 3</p>')).toBe('<p>Hello <b>you</b> &amp; me<br>2 &lt; 3</p>');
    expect(show('<at id="0">Ada</at>: <a href="https://a.example/?a=1&amp;b=2" onclick="x()">here</a>')).toBe(
      '<b>Ada</b>: <a href="https://a.example/?a=1&amp;b=2" rel="noopener noreferrer">here</a>',
    );
    expect(show('<img src="https://graph/hostedContents/1/$value"><img src="https://spy.example/pixel">')).toBe(
      '<img src="images/1.png" alt=""><i>[picture]</i>',
    );
  });

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\nscript:alert(1)">x</a>',
    '<scr<script>ipt>alert(1)</script>',
    '<svg onload=alert(1)>',
    '<p style="background:url(javascript:1)">',
    '<a href="https://x"><img src=1 onerror=alert(1)//',
    '"><script>alert(1)',
    '<!--><script>alert(1)</script>-->',
  ])('lets nothing run: %s', (html) => {
    const tags = show(html).match(/<[^>]*>?/g) ?? [];
    for (const tag of tags) expect(tag).toMatch(ALLOWED);
  });

  test('lets nothing but tags of the list out, whatever comes in, and closes what it opens', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '/',
      '<p',
      '<script',
      '</script>',
      ' href=',
      'javascript:',
      '<a href="https://x',
      '<!--',
      '-->',
      '&',
      '&lt;',
      'x',
      ' ',
      '<b>',
      '</b>',
      '<td>',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const out = show(pieces.join(''));
        const tags = out.match(/<[^>]*>?/g) ?? [];
        expect(tags.every((tag) => ALLOWED.test(tag))).toBe(true);
        const opened = tags.filter((tag) => !/^<(?:\/|br|hr|img)/.test(tag)).length;
        expect(tags.filter((tag) => tag.startsWith('</')).length).toBe(opened);
      }),
      { numRuns: 500 },
    );
  });

  test('of names is text, within quotes too', () => {
    expect(encoded(`<"'&>`)).toBe('&lt;&quot;&#39;&amp;&gt;');
  });
});
