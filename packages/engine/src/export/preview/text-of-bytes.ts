/** What no text has but line ends, tabs, form feeds and the colours of terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const CONTROL = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** The beginning of a file as text, by its byte order mark or as UTF-8; `null` for what is none. A character that was cut at the end is left out. */
export function textOfBytes(head: Buffer): string | null {
  const text = decoded(head);
  return text === null || CONTROL.test(text) ? null : text;
}

function decoded(head: Buffer): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(head, { stream: true });
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head, { stream: true });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}
