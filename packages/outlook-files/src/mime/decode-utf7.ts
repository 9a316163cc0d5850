/** Names of UTF-7 in mail: RFC 2152, and RFC 1642 before it. */
const NAME = /^(?:x-|cs)?(?:unicode-?[12]-?[01]-?)?utf-?7$|^csunicode11utf7$/;

export function isUtf7(charset: string): boolean {
  return NAME.test(charset);
}

/** A shift, its base64 without padding (RFC 2152 calls that modified), and the hyphen that may end it. `+-` is a plus. */
const SHIFT = /\+([A-Za-z0-9+/]*)-?/g;

/** Decodes UTF-7, RFC 2152. Bits that fill no character are padding. @param text what it is when read as ASCII */
export function decodeUtf7(text: string): string {
  return text.replace(SHIFT, (_, run: string) => (run === '' ? '+' : decodedRun(run)));
}

function decodedRun(run: string): string {
  const bytes = Buffer.from(run, 'base64');
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le');
}
