import { isAscii } from 'node:buffer';

/** The end of well-formed base64, RFC 2045 6.8. */
const ONLY_PADDING = /^[=\s]*$/;

/**
 * Decodes base64 in lines at once. Other characters between are skipped, as RFC 2045 requires.
 * @returns `null` for what Node's decoder reads differently than a mail reader should: padding in the middle, the letters of the other alphabet
 */
export function decodeBase64(encoded: Buffer): Buffer | null {
  if (!isAscii(encoded) || encoded.includes(0x2d) || encoded.includes(0x5f)) return null;
  const text = encoded.toString('latin1');
  const padding = text.indexOf('=');
  if (padding >= 0 && !ONLY_PADDING.test(text.slice(padding))) return null;
  return Buffer.from(text, 'base64');
}
