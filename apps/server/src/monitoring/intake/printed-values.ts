import { Refusal } from '../../foundation/errors.ts';

/** What a tool printed: JSON values, one after another, and lines of text between them. */
export type Printed = { line: number; value: unknown } | { line: number; text: string };

/**
 * Reads what a tool printed. Values may span lines, as borg prints its own, and stand in one line each, as restic prints its
 * messages; what its error output adds between them is kept as text.
 *
 * Throws 400 with the number of the line for a value that is not valid JSON. Only the last one may be cut off, which happens
 * when a tool is killed while it prints: that is text then.
 */
export function readPrinted(body: string): Printed[] {
  const printed: Printed[] = [];
  let line = 1;
  let at = 0;
  while (at < body.length) {
    const character = body[at] ?? '';
    if (character === '\n') line += 1;
    if (/\s/.test(character)) {
      at += 1;
      continue;
    }
    const one = readOne(body, at, line, printed.length === 0);
    printed.push('text' in one ? { line, text: one.text.trimEnd() } : { line, value: one.value });
    line += countLines(body, at, one.end);
    at = one.end;
  }
  return printed;
}

type One = { end: number; value: unknown } | { end: number; text: string };

/** The value or the line of text that begins at a place. */
function readOne(body: string, start: number, line: number, isFirst: boolean): One {
  const lineEnd = endOfLine(body, start);
  const asText = { end: lineEnd, text: body.slice(start, lineEnd) };
  if (body[start] !== '{' && body[start] !== '[') return asText;
  const valueEnd = endOfValue(body, start);
  const end = valueEnd ?? body.length;
  try {
    return { end, value: JSON.parse(body.slice(start, end)) };
  } catch (cause) {
    // Lines like "[0:12] 100.00%" are no values either.
    if (body[start] === '[' && !body.slice(start, end).includes('{')) return asText;
    if (valueEnd === null && !isFirst) return { end, text: body.slice(start) };
    throw new Refusal(400, 'MALFORMED_JSON', `Line ${line} of the report begins a JSON value that is not valid.`, {
      cause,
    });
  }
}

/** Where the value that begins at `start` ends; `null` when the text ends before it. */
function endOfValue(body: string, start: number): number | null {
  let depth = 0;
  let isInText = false;
  for (let at = start; at < body.length; at += 1) {
    const character = body.charCodeAt(at);
    if (isInText) {
      if (character === BACKSLASH) at += 1;
      else if (character === QUOTE) isInText = false;
    } else if (character === QUOTE) isInText = true;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth += 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

const [BACKSLASH, QUOTE] = ['\\', '"'].map((character) => character.charCodeAt(0));
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [...'{}[]'].map((character) => character.charCodeAt(0));

function endOfLine(body: string, start: number): number {
  const end = body.indexOf('\n', start);
  return end === -1 ? body.length : end;
}

function countLines(body: string, start: number, end: number): number {
  let count = 0;
  for (let at = body.indexOf('\n', start); at !== -1 && at < end; at = body.indexOf('\n', at + 1)) count += 1;
  return count;
}
