import { MARK, tokenShape } from './token-shape.ts';

/** Names of a job, its company and its places, which products print into their messages. */
export type Names = readonly (string | null)[];

/**
 * Returns what a message says without what differs from one run, job and customer to the next: names, paths, ids, times
 * and counts become `#`. What distinguishes causes stays: words, drive letters, error codes, constants. All of the
 * message is read, and each step reads it once.
 */
export function messageShape(message: string, names: Names): string {
  const text = withoutNames(inOneLine(message), names);
  const words = text.replace(/\S+/gu, wordShape).replace(/(?<=\p{Nd}),(?=\p{Nd})/gu, '.');
  return withMergedMarks(words.replace(TOKEN, (token, offset: number) => shapeAt(words, token, offset)));
}

/** The same for people, at most 200 characters: `Backup of … failed: access is denied.` */
export function wordsInCommon(message: string, names: Names): string {
  const words = messageShape(message, names).replaceAll(MARK, '…').replace(/…{2,}/g, '…');
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX - 1)}…` : words;
}

const WORDS_MAX = 200;

export function inOneLine(message: string): string {
  return message
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Names shorter than this are part of too many words. */
const NAME_LENGTH_MIN = 3;

/** Replaces names where they are words of their own. One that may be a word (`Backup`) counts only in quotes. */
function withoutNames(text: string, names: Names): string {
  const known = [...new Set(names.map((name) => inOneLine(name ?? '')))]
    .filter((name) => name.length >= NAME_LENGTH_MIN)
    .sort((one, other) => other.length - one.length || (one < other ? -1 : 1));
  return known.reduce((rest, name) => rest.replace(patternOf(name), MARK), text);
}

/** Whether a message names it, as a word of its own: one that may be a word of the language only in quotes, or after what it is. */
export function isNamedIn(message: string, name: string, kind: string): boolean {
  const known = inOneLine(name);
  if (known.length < NAME_LENGTH_MIN) return false;
  const asKind = new RegExp(String.raw`\b${kind} ${literalOf(known)}(?![\p{L}\p{Nd}])`, 'iu');
  return patternOf(known).test(message) || asKind.test(message);
}

function patternOf(name: string): RegExp {
  const literal = literalOf(name);
  return isUnmistakable(name)
    ? new RegExp(String.raw`(?<![\p{L}\p{Nd}])${literal}(?![\p{L}\p{Nd}])`, 'giu')
    : new RegExp(`(?<=["'“‘«„])${literal}(?=["'”’»“])`, 'giu');
}

function literalOf(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Whether a name cannot be a word of the language: it has a digit, hyphen, dot or space. */
function isUnmistakable(name: string): boolean {
  return /[\p{Nd}\-. ]/u.test(name);
}

const LEADING = new Set(`"'([{<«“‘„`);
const TRAILING = new Set(`"')]}>»”’.,;:!?…`);
/** A drive alone (`D:\`) is none: it distinguishes causes. */
const PLACE = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\\\\|[a-z]:[\\/].|\/.)/i;
/** A path after `=`, `:` or an opening bracket. */
const INNER_PATH = /(?<=[=:(,"'])(?:\/|\\\\|[a-z]:[\\/])[^"'(),;]+/giu;

/** A word that says where something is becomes a mark: an address, a mail address, a path. */
function wordShape(word: string): string {
  if (!/[@\\/]/.test(word)) return word;
  let [start, end] = [0, word.length];
  while (start < end && LEADING.has(word.charAt(start))) start += 1;
  while (end > start && TRAILING.has(word.charAt(end - 1))) end -= 1;
  const core = word.slice(start, end);
  return word.slice(0, start) + (isPlace(core) ? MARK : core.replace(INNER_PATH, MARK)) + word.slice(end);
}

function isPlace(core: string): boolean {
  const at = core.indexOf('@');
  return PLACE.test(core) || (at > 0 && at < core.length - 1);
}

/** Latin letters, digits and what joins them. Other scripts stay as they are: their words have no form of a name. */
const TOKEN = /[\p{Script=Latin}\p{Nd}_][\p{Script=Latin}\p{M}\p{Nd}_.$-]*/gu;
/** Characters before a number in which a word may say that it is a code. */
const BEFORE_LENGTH = 24;
/** Enough for the difference between a time (`10:30`) and a number with a colon. */
const AFTER_LENGTH = 2;

function shapeAt(text: string, token: string, offset: number): string {
  const end = offset + token.length;
  return tokenShape(token, {
    before: text.slice(Math.max(0, offset - BEFORE_LENGTH), offset),
    after: text.slice(end, end + AFTER_LENGTH),
  });
}

const UNITS =
  '[kmgtp]i?b|bytes?|ms|µs|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?|am|pm|utc|gmt';
const UNIT = new RegExp(String.raw`# ?(?:%|(?:${UNITS})(?![\p{L}\p{Nd}]))`, 'giu');
/** In capitals, or before a colon, one letter is that of a drive: `Disk 1 D:`. */
const UNIT_OF_ONE_LETTER = /# ?[bBshd](?![\p{L}\p{Nd}:])/gu;
const WEEKDAY = 'Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?';
const MONTH =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const DATE_WORD = `(?:${WEEKDAY}|${MONTH})[.,]?`;
const DATE = new RegExp(String.raw`(?<!\p{L})(?:${DATE_WORD} ){0,2}${DATE_WORD}(?= #)`, 'gu');

/** Makes one mark of several: a duration has one part or three, a list one name or ten. */
function withMergedMarks(marked: string): string {
  return marked
    .replace(DATE, MARK)
    .replace(UNIT, MARK)
    .replace(UNIT_OF_ONE_LETTER, MARK)
    .replace(/#(?:(?:[ :.,/\\-]*| and )#)+/g, MARK);
}
