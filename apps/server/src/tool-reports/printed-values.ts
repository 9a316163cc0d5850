import { Refusal } from '../foundation/errors.ts';

/** Output of a tool: a JSON value, or lines of text between values. */
export type Printed = { line: number; value: unknown } | { line: number; text: string };

/** Maximum number of values in a report, more than the shortest restic messages in 8 MB. */
export const VALUES_MAX = 100_000;
/** Maximum number of nested values, each of which takes memory, however short it is. */
export const VALUES_IN_ALL_MAX = 1_000_000;
/** Maximum number of fields of an object. No tool prints more, and each name occupies global tables of the engine. */
export const FIELDS_MAX = 1_000;
/** Number of lines that are read as separate texts; further ones up to the next object are one text. */
export const TEXT_LINES_MAX = 100_000;

/**
 * Reads the output of a tool. Values may span lines, as those of borg, or have one line each, as the messages of restic. Error output
 * between them is returned as text.
 *
 * Throws 413 before it parses more than `VALUES_MAX` values, `VALUES_IN_ALL_MAX` nested values or `FIELDS_MAX` fields of an object,
 * and 400 with the line number of invalid JSON. Only the last value may be truncated, as when a tool is killed while it prints; it is
 * text then.
 *
 * Runs in linear time for any body, as everyone with a token may send 8 MB of anything.
 */
export function readPrinted(body: string): Printed[] {
  const printed: Printed[] = [];
  let line = 1;
  let at = 0;
  let valueCount = 0;
  let mayListsSpanLines = true;
  const within: Counted = { values: 0 };
  while (at < body.length) {
    const character = body[at] ?? '';
    if (character === '\n') line += 1;
    if (/\s/.test(character)) {
      at += 1;
      continue;
    }
    const isBlock = printed.length - valueCount >= TEXT_LINES_MAX && character !== '{';
    const one = isBlock
      ? blockAt(body, at)
      : readOne(body, at, { line, isFirst: printed.length === 0, mayListsSpanLines, within });
    printed.push('text' in one ? { line, text: one.text.trimEnd() } : { line, value: one.value });
    if ('value' in one) valueCount += 1;
    else if (one.isNoList) mayListsSpanLines = false;
    if (valueCount > VALUES_MAX) throw tooManyValues(VALUES_MAX);
    line += countLines(body, at, one.end);
    at = one.end;
  }
  return printed;
}

function tooManyValues(limit: number): Refusal {
  const most = limit.toLocaleString('en');
  return new Refusal(
    413,
    'TOO_MANY_VALUES',
    `The report has more than ${most} JSON values. Send one report for each run.`,
  );
}

function tooManyFields(): Refusal {
  const most = FIELDS_MAX.toLocaleString('en');
  return new Refusal(413, 'TOO_MANY_VALUES', `An object of the report has more than ${most} fields.`);
}

/** `isNoList`: a line that begins like a list but did not become one in the following lines. */
type One = { end: number; value: unknown } | { end: number; text: string; isNoList: boolean };

/** Count over the whole report. */
interface Counted {
  values: number;
}

interface Place {
  within: Counted;
  line: number;
  isFirst: boolean;
  /**
   * Whether lists may span lines. After the first one that turns out to be text, a list has to end in its line. Otherwise each line of
   * a text like "[\n[\n[" would cause a search through all that follow.
   */
  mayListsSpanLines: boolean;
}

/** Reads the value or the line of text at a position. */
function readOne(body: string, start: number, { line, isFirst, mayListsSpanLines, within }: Place): One {
  const isList = body[start] === '[';
  if (body[start] !== '{' && !isList) return textAt(body, start, false);
  const isWithinLine = isList && !mayListsSpanLines;
  const valueEnd = endOfValue(body, start, isWithinLine, within);
  if (valueEnd === null && isWithinLine) return textAt(body, start, false);
  const end = valueEnd ?? body.length;
  try {
    // Parsing millions of unclosed brackets would take long.
    if (valueEnd === null) throw new SyntaxError('The value does not end, or nests too deeply.');
    return { end, value: JSON.parse(body.slice(start, end)) };
  } catch (cause) {
    const tried = body.slice(start, end);
    // Lines like "[0:12] 100.00%" are text.
    if (isList && !tried.includes('{')) return textAt(body, start, tried.includes('\n'));
    if (valueEnd === null && !isFirst) return { end, text: tried, isNoList: false };
    throw new Refusal(400, 'MALFORMED_JSON', `Line ${line} of the report begins a JSON value that is not valid.`, {
      cause,
    });
  }
}

/** Maximum depth. No tool nests deeper, and recursive code runs out of stack only far beyond it. */
const DEPTH_MAX = 1_000;

/**
 * Finds the end of the value at `start`; `null` if the body, or with `isWithinLine` the line, ends before it, or if it nests deeper
 * than `DEPTH_MAX`. Counts the nested values.
 */
function endOfValue(body: string, start: number, isWithinLine: boolean, within: Counted): number | null {
  let depth = 0;
  let isInText = false;
  /** Number of fields of the open object at each depth; lists are not counted. */
  const fields: number[] = [];
  for (let at = start; at < body.length; at += 1) {
    const character = body.charCodeAt(at);
    if (isWithinLine && character === NEWLINE) return null;
    if (isInText) {
      if (character === BACKSLASH) at += 1;
      else if (character === QUOTE) isInText = false;
    } else if (character === QUOTE) isInText = true;
    else if (character === COMMA) {
      within.values += 1;
      if (within.values > VALUES_IN_ALL_MAX) throw tooManyValues(VALUES_IN_ALL_MAX);
      fields[depth] = (fields[depth] ?? 0) + 1;
      if ((fields[depth] ?? 0) >= FIELDS_MAX) throw tooManyFields();
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      depth += 1;
      if (depth > DEPTH_MAX) return null;
      fields[depth] = character === OPEN_BRACE ? 0 : Number.NEGATIVE_INFINITY;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

const [BACKSLASH, QUOTE, NEWLINE, COMMA] = ['\\', '"', '\n', ','].map((character) => character.charCodeAt(0));
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [...'{}[]'].map((character) => character.charCodeAt(0));

function textAt(body: string, start: number, isNoList: boolean): One {
  const newline = body.indexOf('\n', start);
  const end = newline === -1 ? body.length : newline;
  return { end, text: body.slice(start, end), isNoList };
}

/** Reads the lines of text before the next object. */
function blockAt(body: string, start: number): One {
  const next = body.indexOf('\n{', start);
  const end = next === -1 ? body.length : next;
  return { end, text: body.slice(start, end), isNoList: false };
}

/** Counts the line breaks up to `end`, and no further, as one line may have many values. */
function countLines(body: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (body.charCodeAt(at) === NEWLINE) count += 1;
  return count;
}
