import { isUtf8 } from 'node:buffer';
import libmime from 'libmime';

const UTF_8 = new TextDecoder('utf-8');
/** What a file that says nothing of its characters most likely is, besides UTF-8. */
const FALLBACK = new TextDecoder('windows-1252');

/** Text of any character set. One nobody knows, or that is not what the bytes are, is guessed rather than refused. */
export function decodeText(bytes: Uint8Array, charset: string | false): string {
  const decoder = decoderFor(charset || '');
  if (decoder && decoder.encoding !== 'utf-8') {
    return decoder.decode(bytes);
  }
  return (isUtf8(bytes) ? UTF_8 : FALLBACK).decode(bytes); // some is not UTF-8, whatever it says
}

/** Names that mail gives to character sets are its own words: so many of them are remembered. */
const KNOWN_MAX = 64;
const known = new Map<string, TextDecoder | undefined>();

/** A decoder keeps nothing between two texts, so one serves all; `undefined` for a name nobody knows: the caller guesses. */
function decoderFor(charset: string): TextDecoder | undefined {
  if (known.has(charset)) return known.get(charset);
  if (known.size >= KNOWN_MAX) known.clear();
  const decoder = newDecoder(charset);
  known.set(charset, decoder);
  return decoder;
}

function newDecoder(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset.trim().toLowerCase());
  } catch {
    return undefined;
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
