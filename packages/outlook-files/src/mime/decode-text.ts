import { isUtf8 } from 'node:buffer';
import libmime from 'libmime';
import { decodeUtf7, isUtf7 } from './decode-utf7.ts';

const UTF_8 = new TextDecoder('utf-8');
/** What a file that does not name its characters most likely is, besides UTF-8. */
const FALLBACK = new TextDecoder('windows-1252');

type Decode = (bytes: Uint8Array) => string;

/** Text of any character set. An unknown one, or one that is not what the bytes are, is guessed rather than refused. */
export function decodeText(bytes: Uint8Array, charset: string | false): string {
  return decoderFor(charset || '')(bytes);
}

/** Some text is not UTF-8, although it says so. */
const guessed: Decode = (bytes) => (isUtf8(bytes) ? UTF_8 : FALLBACK).decode(bytes);

/** Names that mail gives to character sets are its own words: so many of them are remembered. */
const KNOWN_MAX = 64;
const known = new Map<string, Decode>();

/** A decoder has no state between two texts, so one serves all. */
function decoderFor(charset: string): Decode {
  const found = known.get(charset);
  if (found !== undefined) return found;
  if (known.size >= KNOWN_MAX) known.clear();
  const decode = newDecoder(charset.trim().toLowerCase());
  known.set(charset, decode);
  return decode;
}

function newDecoder(charset: string): Decode {
  if (isUtf7(charset)) return (bytes) => decodeUtf7(guessed(bytes));
  try {
    const decoder = new TextDecoder(charset);
    return decoder.encoding === 'utf-8' ? guessed : (bytes) => decoder.decode(bytes);
  } catch {
    return guessed;
  }
}

/** Plain text of a part, long lines joined where the sender broke them for transport (RFC 3676). */
export function decodePlainText(
  bytes: Uint8Array,
  part: { charset: string | false; flowed: boolean; delSp: boolean },
): string {
  const text = decodeText(bytes, part.charset);
  return part.flowed ? libmime.decodeFlowed(text, part.delSp) : text;
}
