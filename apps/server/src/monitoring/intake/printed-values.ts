import { Refusal } from '../../foundation/errors.ts';

/** What a tool printed: JSON values, one after another, and lines of text between them. */
export type Printed = { line: number; value: unknown } | { line: number; text: string };

/** Values that a report may have: 8 MB of the shortest message of restic are fewer. */
export const VALUES_MAX = 100_000;
/** Values within those, lists and objects and what they hold: each takes memory of its own, however short it is. */
export const VALUES_IN_ALL_MAX = 1_000_000;
/** Fields of one object: no tool prints more, and every name takes a place in tables of the whole program. */
export const FIELDS_MAX = 1_000;
/** Lines of text that are told apart; of those that follow, all up to the next object are one text. */
export const TEXT_LINES_MAX = 100_000;

/**
 * Reads what a tool printed. Values may span lines, as borg prints its own, and stand in one line each, as restic prints its
 * messages; what its error output adds between them is kept as text.
 *
 * Throws 413 for more than `VALUES_MAX` values or `VALUES_IN_ALL_MAX` within them or `FIELDS_MAX` fields of one object, before these are made, 400 with the number of the line for one that is not valid JSON. Only the last one may be cut off, which happens
 * when a tool is killed while it prints: that is text then.
 *
 * Takes time in proportion to the size of the body, whatever is in it: whoever has a token may send 8 MB of anything.
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

/** `isNoList`: a line that began like a list, which was looked for beyond the line in vain. */
type One = { end: number; value: unknown } | { end: number; text: string; isNoList: boolean };

/** Counted over the whole report. */
interface Counted {
  values: number;
}

interface Place {
  within: Counted;
  line: number;
  isFirst: boolean;
  /**
   * Lists that span lines are looked for until one turned out to be none. After that a list has to end in its line: else every
   * line of a text like "[\n[\n[" would be a reason to look through all that follow it.
   */
  mayListsSpanLines: boolean;
}

/** The value or the line of text that begins at a place. */
function readOne(body: string, start: number, { line, isFirst, mayListsSpanLines, within }: Place): One {
  const isList = body[start] === '[';
  if (body[start] !== '{' && !isList) return textAt(body, start, false);
  const isWithinLine = isList && !mayListsSpanLines;
  const valueEnd = endOfValue(body, start, isWithinLine, within);
  if (valueEnd === null && isWithinLine) return textAt(body, start, false);
  const end = valueEnd ?? body.length;
  try {
    // Millions of brackets that are never closed take long to be found invalid.
    if (valueEnd === null) throw new SyntaxError('The value does not end, or nests too deeply.');
    return { end, value: JSON.parse(body.slice(start, end)) };
  } catch (cause) {
    const tried = body.slice(start, end);
    // Lines like "[0:12] 100.00%" are no values either.
    if (isList && !tried.includes('{')) return textAt(body, start, tried.includes('\n'));
    if (valueEnd === null && !isFirst) return { end, text: tried, isNoList: false };
    throw new Refusal(400, 'MALFORMED_JSON', `Line ${line} of the report begins a JSON value that is not valid.`, {
      cause,
    });
  }
}

/** No tool nests deeper; what works through a value by calling itself would run out of stack far beyond it. */
const DEPTH_MAX = 1_000;

/**
 * Where the value that begins at `start` ends; `null` when the text (or the line, if it is to end there) ends before it, or when
 * it nests deeper than `DEPTH_MAX`. Counts the values on its way.
 */
function endOfValue(body: string, start: number, isWithinLine: boolean, within: Counted): number | null {
  let depth = 0;
  let isInText = false;
  /** By depth: how many fields the object has that is open there; of a list nothing is counted. */
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

/** The lines of text up to the next that begins an object. */
function blockAt(body: string, start: number): One {
  const next = body.indexOf('\n{', start);
  const end = next === -1 ? body.length : next;
  return { end, text: body.slice(start, end), isNoList: false };
}

/** Looks at nothing beyond `end`: many values may stand in one line. */
function countLines(body: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (body.charCodeAt(at) === NEWLINE) count += 1;
  return count;
}
