import type pg from 'pg';
import { rows, transactionOver } from '../sessions/connection.ts';
import { dates, filters, isAfter, isNewest, type Place, type Search, Values, wordsMatch } from './search-conditions.ts';
import { periodOf } from './search-periods.ts';

export interface FoundEntry {
  sort_date: number;
  item: string;
  object: number;
  first: number;
  last: number;
}

/** Entries looked at in the order of their dates before deciding whether to continue in that order. */
const FIRST_LOOK = 300;
const LOOKS_MAX = 3_000;
/** Entries with the words that are looked at for one page. Whether the words are neighbours is read from each: that is what takes time. */
const CANDIDATES_MAX = 4_000;
/** With more objects than this the whole repository is looked through in the order of dates. */
const OBJECTS_BY_DATE_MAX = 100;
const NEWEST_FIRST = 'ORDER BY e.sort_date DESC, e.item DESC, e.object DESC, e.first DESC';
const KEY = 'e.sort_date, e.item, e.object, e.first, e.last';

/** The planner would choose by guesses of how frequent words are together: here the way is chosen, and it follows. */
const BY_DATE = settings({
  enable_indexscan: 'on',
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
  enable_sort: 'off',
});
const BY_WORDS = settings({
  enable_indexscan: 'off',
  enable_bitmapscan: 'on',
  enable_seqscan: 'off',
  enable_sort: 'on',
});

/**
 * Finds the newest matches. There are two ways, and which is shorter depends on how frequent the words are together, which is
 * unknown beforehand: the index of dates gives entries in order, of which many do not match; the index of words gives all matches of a
 * period, which have to be sorted. So a look at the newest entries shows whether the first gives a page soon. If not, periods are
 * asked one after the other, the newest first, until the page is full: no more than the matches of one period are sorted at a time.
 *
 * @returns `next`: where the next page begins. It is there as well where a page found few within what is looked at for one
 */
export function findEntries(client: pg.PoolClient, search: Search): Promise<Found> {
  return transactionOver(client, async (connection) => {
    if (search.words === null) return pageOf(search, (await look(connection, search, null)).found, null);
    await connection.query(BY_DATE);
    const newest = await byDate(connection, search);
    if (newest !== null) return pageOf(search, newest, null);
    await connection.query(BY_WORDS);
    return byWords(connection, search, search.words);
  });
}

interface Found {
  found: FoundEntry[];
  next: Place | null;
}

function pageOf({ query }: Search, found: FoundEntry[], lookedTo: FoundEntry | null): Found {
  const last = found.length < query.limit ? undefined : found.at(-1);
  return { found, next: last === undefined ? lookedTo && placeOf(lookedTo) : behindItem(last) };
}

/** Of an entry that was looked at: an older one of the same item may be the one that matches. */
function placeOf({ sort_date, item, object, first }: FoundEntry): Place {
  return [sort_date, item, object, first];
}

/** Of a hit: its item is shown once. */
export function behindItem({ sort_date, item, object }: FoundEntry): Place {
  return [sort_date, item, object, 0];
}

function settings(values: Record<string, string>): string {
  return `SELECT ${Object.entries(values)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`;
}

/**
 * Matches by the index of words, which knows the repository. LATERAL asks period by period, so that LIMIT ends the asking where the page
 * is full; OFFSET keeps the planner from reading all entries of an object, or of a time, to compare them with the few that match.
 * The index gives entries that have the words anywhere. Only in the order of the page, and no further than it needs, are they read to see
 * whether the words are neighbours.
 */
async function byWords(connection: pg.PoolClient, search: Search, words: NonNullable<Search['words']>): Promise<Found> {
  const { after, query } = search;
  const asked = words.filter(({ period }) => after === null || period <= periodOf(after[0]));
  const values = new Values();
  const queries = (of: 'words' | 'together') =>
    values.add(
      asked.map((one) => one[of]),
      'tsquery[]',
    );
  const most = values.add(CANDIDATES_MAX, 'bigint');
  const seen = await rows<FoundEntry & { matches: boolean; place: number }>(
    connection,
    `SELECT * FROM (
       SELECT ${KEY}, (${asksNeighbours(asked) ? 'e.words @@ e.asked' : 'true'}) AND ${isNewest('e', search, values)} AS matches,
         row_number() OVER () AS place
       FROM (SELECT e.*, asked.words AS asked FROM unnest(${queries('together')}, ${queries('words')}) AS asked (together, words)
         CROSS JOIN LATERAL (
           SELECT e.* FROM (SELECT * FROM search_entries WHERE words @@ asked.together OFFSET 0) e
           WHERE true${filters('e', search, values)} AND ${isAfter('e', after, values)} ${NEWEST_FIRST} LIMIT ${most}) e
         LIMIT ${most}) e) seen
     WHERE matches OR place = ${most} LIMIT ${values.add(query.limit, 'integer')}`,
    values.list,
  );
  const last = seen.at(-1);
  return pageOf(
    search,
    seen.filter(({ matches }) => matches),
    last?.place === CANDIDATES_MAX ? last : null,
  );
}

function asksNeighbours(asked: NonNullable<Search['words']>): boolean {
  return asked.some(({ words, together }) => words !== together);
}

/** Matches in the order of dates. @returns `null` where that would take long */
async function byDate(connection: pg.PoolClient, search: Search): Promise<FoundEntry[] | null> {
  const { limit } = search.query;
  const found: FoundEntry[] = [];
  let after = search.after;
  let entries = FIRST_LOOK;
  for (let looked = 0; looked < LOOKS_MAX; ) {
    const seen = await look(connection, { ...search, after }, entries);
    found.push(...seen.found);
    looked += entries;
    if (found.length >= limit || seen.last === null) return found.slice(0, limit);
    const expected = Math.ceil((looked / Math.max(found.length, 0.5)) * (limit - found.length) * 1.2);
    if (looked + expected > LOOKS_MAX) return null;
    // Not all at once: what was seen so far may have been misleading.
    entries = Math.min(expected, 4 * looked);
    after = placeOf(seen.last);
  }
  return null;
}

/**
 * Looks at some entries in the order of their dates, or (`null`) at as many as it takes.
 * @returns those that match, and the last one looked at, unless there are no more
 */
async function look(
  connection: pg.PoolClient,
  search: Search,
  entries: number | null,
): Promise<{ found: FoundEntry[]; last: FoundEntry | null }> {
  const values = new Values();
  const conditions = `true${filters('e', search, values)} AND ${wordsMatch('e', search, values)} AND ${isNewest('e', search, values)}`;
  if (entries === null) {
    const found = await rows<FoundEntry>(
      connection,
      `SELECT ${KEY} FROM ${inDateOrder(search, values, null, conditions)} e ${NEWEST_FIRST} LIMIT ${values.add(search.query.limit, 'integer')}`,
      values.list,
    );
    return { found, last: null };
  }
  const seen = await rows<FoundEntry & { matches: boolean }>(
    connection,
    `SELECT * FROM (SELECT ${KEY}, ${conditions} AS matches, row_number() OVER () AS place
       FROM ${inDateOrder(search, values, entries, 'true')} e) seen
     WHERE matches OR place = ${values.add(entries, 'bigint')}`,
    values.list,
  );
  return { found: seen.filter(({ matches }) => matches), last: seen.at(-1) ?? null };
}

/** Entries newest first: of the repository, or of each object separately. */
function inDateOrder(search: Search, values: Values, entries: number | null, conditions: string): string {
  const { repository, objects, after } = search;
  const limit = entries === null ? values.add(search.query.limit, 'bigint') : values.add(entries, 'bigint');
  const part = (of: string) =>
    `SELECT e.* FROM search_entries e WHERE ${of} AND ${conditions} AND ${isAfter('e', after, values)}${dates('e', search, values)}
     ${NEWEST_FIRST} LIMIT ${limit}`;
  if (objects === null || objects.length > OBJECTS_BY_DATE_MAX) {
    return `(${part(`e.repository = ${values.add(repository, 'integer')}`)})`;
  }
  return `(SELECT e.* FROM unnest(${values.add(objects, 'integer[]')}) AS asked (object)
    CROSS JOIN LATERAL (${part('e.object = asked.object')}) e ${NEWEST_FIRST} LIMIT ${limit})`;
}
