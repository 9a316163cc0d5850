import { Refusal } from '../errors.ts';

/** Values that the JSON of a call may have: a list has up to 1,000 ids, and most calls accept no more than a few lists. */
const VALUES_MAX = 5_000;
/** Calls that declare room for more than this take thousands of entries, each with its fields. */
const LARGE_BYTES = 2 ** 20;
/** About as long as a field with its name is: bytes of nothing but values are refused all the same. */
const BYTES_A_VALUE = 16;
const [COMMA, QUOTE, BACKSLASH] = [',', '"', '\\'].map((character) => character.charCodeAt(0));

/**
 * Reads a body as JSON, whatever type its sender gave it. Throws 413 for more values than any call accepts, before it parses them, and 400
 * for what is no JSON. @param bytesMax how large the bodies of the call may be
 */
export function readJsonBody(text: string, bytesMax: number): unknown {
  if (text === '') return undefined;
  const most = bytesMax > LARGE_BYTES ? Math.floor(bytesMax / BYTES_A_VALUE) : VALUES_MAX;
  if (mayHaveMoreThan(text, most)) throw tooManyValues(most);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refusal(400, 'MALFORMED_JSON', 'The body is not valid JSON.', { cause });
  }
}

/** Counts the commas between values: looks at every character once and makes nothing. */
function mayHaveMoreThan(text: string, most: number): boolean {
  let count = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) isInText = !isInText;
    else if (character === COMMA && !isInText) count += 1;
  }
  return count >= most;
}

function tooManyValues(most: number): Refusal {
  return new Refusal(413, 'TOO_MANY_VALUES', `The body has more than ${most.toLocaleString('en')} values.`);
}
