import type { Item } from '../../model/items.ts';

/** More decides no order that a person would notice, and an index row has to stay short. */
const SORT_NAME_LENGTH_MAX = 100;
/** Kinds that sort by a date of their own choosing, which may be far ahead. */
export const AHEAD_KINDS: readonly Item['kind'][] = ['event', 'task'];
/** The beginning of year 1, for what has no date: before everything that has one. */
export const NO_DATE = -62_135_596_800_000;
/** The last instant a `Date` knows. */
export const LAST_DATE = 8_640_000_000_000_000;

/**
 * A text whose order byte by byte is the one a person expects of names: letters without case or accents, numbers by their value
 * (`Report 9` before `Report 10`). It is stored, so no later version of Unicode or of a collation can make an index wrong.
 */
export function sortName(name: string): string {
  const plain = name
    .slice(0, 2 * SORT_NAME_LENGTH_MAX)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cc}]/gu, '')
    .toLowerCase()
    .trimStart();
  return plain.replace(/\d+/g, numberKey).slice(0, SORT_NAME_LENGTH_MAX).toWellFormed();
}

/** Digits behind their count, so that more digits come later: `9` is `19`, `10` is `210`; longer ones than nine are all `9…`. */
function numberKey(digits: string): string {
  const value = digits.replace(/^0+(?=\d)/, '');
  return value.length < 9 ? `${value.length}${value}` : `9${String(value.length).padStart(3, '0')}${value}`;
}

/** The instant by which lists and search sort an item, in milliseconds since 1970: when it came, starts or was changed. */
export function sortDate({ kind, details, modifiedAt }: Item): number {
  const preferred = AHEAD_KINDS.includes(kind)
    ? [details.startsAt]
    : kind === 'file' || kind === 'folder'
      ? []
      : [details.receivedAt, details.sentAt];
  for (const text of [...preferred, modifiedAt, details.createdAt]) {
    const instant = text === undefined || text === null ? Number.NaN : new Date(text).getTime();
    if (!Number.isNaN(instant)) return Math.max(NO_DATE, Math.min(LAST_DATE, instant));
  }
  return NO_DATE;
}

/** The latest date by which any of the items sorts, except for kinds whose dates may be ahead. */
export function newestDate(items: Iterable<Item>): number {
  let newest = NO_DATE;
  for (const item of items) if (!AHEAD_KINDS.includes(item.kind)) newest = Math.max(newest, sortDate(item));
  return newest;
}
