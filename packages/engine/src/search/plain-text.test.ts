import { expect, test } from 'vitest';
import { processorMs } from '../../../sandbox/src/testing/processor-time.ts';
import { plainText } from './plain-text.ts';

const words = (html: string) => plainText(html).replaceAll(/\s+/g, ' ').trim();

test('gives the words a reader sees, parted where elements part them', () => {
  expect(words('<p>Offer</p><p>of&nbsp;2026 &amp; more</p>')).toBe('Offer of 2026 & more');
  expect(words('<td>one</td><td>two</td>')).toBe('one two');
  expect(words('plain, 3 &lt; 4 &#x4f8b; &#20363; &unknown;')).toBe('plain, 3 < 4 例 例 &unknown;');
});

test('leaves out what is not shown: scripts, styles, heads and comments', () => {
  expect(words('<head><title>T</title></head><STYLE>p{}</STYLE >a<script>if (1<2) x</script>b<!-- <p>c -->d')).toBe(
    'a b d',
  );
  expect(words('<header>shown</header><headline>too</headline>')).toBe('shown too');
});

test('takes what is never closed to the end, and gives nothing that is half a tag', () => {
  expect(words('before <a href="x')).toBe('before');
  expect(words('before <!-- never')).toBe('before');
  expect(words('before <script>never')).toBe('before');
  expect(words('&#0;&#1114112;&#xffffff;')).toBe('&#0;&#1114112;&#xffffff;');
});

test('takes time in proportion to the length, whatever it is given', async () => {
  const hostile = ['<', '<a ', '<!--', '<script>', '<script></script', '&', '&#', '&amp', '<style></style>', '</'];
  for (const piece of hostile) {
    const timeOf = (count: number) => processorMs(() => plainText(piece.repeat(count)));
    await timeOf(20_000);
    // Four megabytes, as much as is ever read of an item. What is quadratic takes minutes for it.
    expect(await timeOf(Math.floor(4_000_000 / piece.length)), piece).toBeLessThan(4_000);
  }
}, 60_000);
