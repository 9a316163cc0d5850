import { isAscii, isUtf8 } from 'node:buffer';
import type { Headers } from '@zone-eu/mailsplit';
import libmime from 'libmime';
import { decodeText } from './decode-text.ts';

/** An encoded word, RFC 2047 2, with the language of RFC 2231 5. */
const WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([BbQq])\?([^?]*)\?=/g;

/**
 * The values of all headers of a name, as text whose encoded words are ASCII and UTF-8. Parsers of addresses and parameters decode words
 * on their own, and not as some are sent: cut within a character, with unencoded bytes, or in UTF-7.
 */
export function headerValues(headers: Headers, key: string): string[] {
  return headers.getList().flatMap((header) => (header.key === key ? [lineValue(header)] : []));
}

/** The value of the first header of a name; empty without one. */
export function headerValue(headers: Headers, key: string): string {
  const header = headers.getList().find((each) => each.key === key);
  return header === undefined ? '' : lineValue(header);
}

/** What people read in a header. */
export function headerText(headers: Headers, key: string): string | undefined {
  return libmime.decodeWords(headerValue(headers, key)) || undefined;
}

const lineValue = ({ line }: { line: string }) => withUtf8Words(unfolded(line));

/** RFC 5322 2.2.3. */
const unfolded = (line: string) =>
  line
    .slice(line.indexOf(':') + 1)
    .replace(/(?:\r?\n|\r)[ \t]*/g, ' ')
    .trim();

/** Encoded words that follow each other and belong together. */
interface Word {
  charset: string;
  isBase64: boolean;
  encoded: string;
}

/** @param line its bytes, a character each */
function withUtf8Words(line: string): string {
  let text = '';
  let end = 0;
  let word: Word | undefined;
  for (const match of line.matchAll(WORD)) {
    const [whole, charset = '', encoding = '', encoded = ''] = match;
    const next = { charset: charset.toLowerCase(), isBase64: /b/i.test(encoding), encoded };
    const between = line.slice(end, match.index);
    end = match.index + whole.length;
    const isAdjacent = word !== undefined && between.trim() === '';
    if (word !== undefined && isAdjacent && word.charset === next.charset && word.isBase64 === next.isBase64) {
      word.encoded += encoded; // some senders cut words within a character
      continue;
    }
    // White space between two words is none, RFC 2047 6.2.
    text += utf8Word(word) + (isAdjacent ? '' : plainText(between));
    word = next;
  }
  return text + utf8Word(word) + plainText(line.slice(end));
}

const plainText = (bytes: string) => decodeText(Buffer.from(bytes, 'latin1'), false);

function utf8Word(word: Word | undefined): string {
  if (word === undefined) return '';
  const bytes = word.isBase64 ? base64Bytes(word.encoded) : quotedBytes(word.encoded);
  const text = decodeText(bytes, isRawUtf8(word, bytes) ? 'utf-8' : word.charset);
  return text === '' ? '' : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** A program that puts bytes into a word as they are may name a character set in which they are not. */
function isRawUtf8({ isBase64, encoded }: Word, bytes: Buffer): boolean {
  return !isBase64 && !isAscii(Buffer.from(encoded, 'latin1')) && isUtf8(bytes);
}

/** Joined words may have padding in the middle. */
function base64Bytes(encoded: string): Buffer {
  return Buffer.concat((encoded.match(/[^=]+/g) ?? []).map((part) => Buffer.from(part, 'base64')));
}

/** The Q encoding, RFC 2047 4.2. Bytes that are not encoded, which it forbids, are what they are. */
function quotedBytes(encoded: string): Buffer {
  const bytes = encoded
    .replace(/=\s+(?=[0-9a-f])/gi, '=') // folded within an encoded byte
    .replace(/[_\s]/g, ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
