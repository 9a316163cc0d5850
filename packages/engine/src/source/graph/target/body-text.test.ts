import { expect, test } from 'vitest';
import { processorMs } from '../../../../../sandbox/src/testing/processor-time.ts';
import { type Body, bodyText, bodyTextAndLinks } from './body-text.ts';

const html = (content: string): Body => ({ content, isHtml: true });
const text = (content: string): Body => ({ content, isHtml: false });

test('the text of HTML is the same as that of plain text', () => {
  expect(bodyText(html('<html><head><title>x</title></head><p>Is 1 &lt; 2?</p>\r\n<p>Yes</p></html>'))).toBe(
    bodyText(text('Is 1 < 2?\nYes')),
  );
});

test('a `<` in plain text hides nothing after it', () => {
  expect(bodyText(text('a < b, so pay 10'))).not.toBe(bodyText(text('a < b, so pay 99')));
  expect(bodyText(text('<!-- a'))).not.toBe(bodyText(text('<!-- b')));
});

test('the target of a link in HTML counts, and what only looks like a link in plain text counts once', () => {
  const link = (to: string) => html(`<p><a class="x" href="${to}">Pay</a></p>`);
  expect(bodyTextAndLinks(link('https://bank.example'))).not.toBe(bodyTextAndLinks(link('https://thief.example')));
  expect(bodyText(link('https://bank.example'))).toBe('Pay');
  expect(bodyTextAndLinks(text(' href="a"'))).toBe('href="a"');
});

test('a body that consists of the beginnings of markup is read in linear time', async () => {
  const read = () => {
    for (const sign of ['<head ', '<', ' href="', '<!--', '&'])
      expect(bodyTextAndLinks(html(sign.repeat(200_000))).length).toBeLessThan(4_000_000);
  };
  expect(await processorMs(read)).toBeLessThan(5_000);
});
