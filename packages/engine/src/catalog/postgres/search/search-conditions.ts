import type { SearchQuery } from '../../catalog.ts';
import { OPEN_END } from '../item-record.ts';
import { periodColumn } from './search-periods.ts';

/** A search with names looked up: what the statements of search.ts are made of. */
export interface Search {
  repository: number;
  /** Numbers of the objects to look into; `null`: all. */
  objects: readonly number[] | null;
  /** The containers that are searched; `null`: all. */
  within: Within | null;
  /** Number of the run whose state is searched; `null`: all of time. */
  restorePoint: number | null;
  /** For each period, the newest first; `null` where nothing is asked of words. */
  words: readonly PeriodWords[] | null;
  query: SearchQuery;
  /** Where the page before ended. */
  after: Place | null;
}

/**
 * A place in the order of entries, newest first. An item has an entry for each version with other words, often all of one date, so a page
 * may end between them. With 0 as `first` the place is behind all entries of the item.
 */
export type Place = readonly [date: number, item: string, object: number, first: number];

/** A container and those below it, by number. */
export interface Within {
  containers: readonly number[];
  /** Where items are looked at; `null`: where each was last. */
  revision: number | null;
}

/** What is asked of words in a period, as texts of `tsquery`s. */
export interface PeriodWords {
  period: number;
  words: string;
  /** What the index finds alone: the same words wherever they are. Equal where no words must be neighbours. */
  together: string;
}

/** Values of a statement, each given its number when it is first needed. */
export class Values {
  readonly list: unknown[] = [];

  add(value: unknown, type: string): string {
    this.list.push(value);
    return `$${this.list.length}::${type}`;
  }
}

/** Everything that an entry of the alias must fulfil but its words and its place in the order. */
export function filters(alias: string, search: Search, values: Values): string {
  const { objects, restorePoint, query } = search;
  const { kinds, sizeFrom, sizeTo, hasAttachments, isDeleted } = query;
  return (
    dates(alias, search, values) +
    allOf([
      objects === null ? null : `${alias}.object = ANY (${values.add(objects, 'integer[]')})`,
      kinds === undefined ? null : `${alias}.kind = ANY (${values.add(kinds, 'item_kind[]')})`,
      compare(alias, 'size', '>=', sizeFrom, values),
      compare(alias, 'size', '<=', sizeTo, values),
      hasAttachments === undefined ? null : `${alias}.has_attachments = ${values.add(hasAttachments, 'boolean')}`,
      isWithin(alias, search, values),
      isDeleted === undefined ? null : `${isDeleted ? 'NOT ' : ''}${isThere(alias)}`,
      restorePoint === null
        ? null
        : `EXISTS (SELECT FROM restore_point_objects p WHERE p.run = ${values.add(restorePoint, 'integer')}
           AND p.object = ${alias}.object AND ${alias}.first <= p.revision AND ${alias}.last >= p.revision)`,
    ])
  );
}

/** Whether the object still has the item: in any version, as an entry is of some of them. */
function isThere(alias: string): string {
  return `EXISTS (SELECT FROM item_versions t WHERE t.object = ${alias}.object AND t.item = ${alias}.item AND t.last = ${OPEN_END})`;
}

/** Whether an entry is in one of the containers: its last version, as an entry is of several, or that of the restore point. */
function isWithin(alias: string, { within }: Search, values: Values): string | null {
  if (within === null) return null;
  const at = within.revision === null ? `${alias}.last` : values.add(within.revision, 'integer');
  return `EXISTS (SELECT FROM item_versions w WHERE w.object = ${alias}.object AND w.item = ${alias}.item
    AND w.first <= ${at} AND w.last >= ${at} AND w.container = ANY (${values.add(within.containers, 'integer[]')}))`;
}

/** The bounds of dates alone: what the index of dates can use. */
export function dates(alias: string, { query: { dateFrom, dateTo } }: Search, values: Values): string {
  return allOf([
    compare(alias, 'sort_date', '>=', dateFrom?.getTime(), values),
    compare(alias, 'sort_date', '<=', dateTo?.getTime(), values),
  ]);
}

function compare(
  alias: string,
  column: string,
  operator: string,
  value: number | undefined,
  values: Values,
): string | null {
  return value === undefined ? null : `${alias}.${column} ${operator} ${values.add(value, 'bigint')}`;
}

function allOf(conditions: readonly (string | null)[]): string {
  return conditions.map((condition) => (condition === null ? '' : ` AND ${condition}`)).join('');
}

/** Whether the words of the alias are those asked for in its period. */
export function wordsMatch(alias: string, { words }: Search, values: Values): string {
  if (words === null) return 'true';
  const newest = Math.max(...words.map(({ period }) => period));
  const asked: (string | null)[] = [];
  for (const one of words) asked[newest - one.period] = one.words;
  const place = `${values.add(newest + 1, 'integer')} - ${periodColumn(alias)}`;
  return `${alias}.words @@ (${values.add(
    Array.from(asked, (one) => one ?? null),
    'tsquery[]',
  )})[${place}]`;
}

/**
 * Over all of time an item is shown once, as its newest version that matches. Asked of rows that match only: each costs a look for
 * newer ones.
 */
export function isNewest(alias: string, search: Search, values: Values): string {
  if (search.restorePoint !== null) return 'true';
  return `(${alias}.next = 2147483647 OR NOT EXISTS (SELECT FROM search_entries n
    WHERE n.object = ${alias}.object AND n.item = ${alias}.item AND n.first > ${alias}.first
      AND ${wordsMatch('n', search, values)}${filters('n', search, values)}))`;
}

/** Behind the place where the page before ended, newest first. */
export function isAfter(alias: string, after: Search['after'], values: Values): string {
  if (after === null) return 'true';
  const [date, item, object, first] = after;
  return `(${alias}.sort_date, ${alias}.item, ${alias}.object, ${alias}.first)
    < (${values.add(date, 'bigint')}, ${values.add(item, 'uuid')}, ${values.add(object, 'integer')}, ${values.add(first, 'integer')})`;
}
