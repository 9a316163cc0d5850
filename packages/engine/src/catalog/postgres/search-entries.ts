import type pg from 'pg';
import { rows, transaction } from './connection.ts';
import { dates, filters, isAfter, isNewest, type Search, Values, wordsMatch } from './search-conditions.ts';

export interface FoundEntry {
  sort_date: number;
  item: string;
  object: number;
  first: number;
}

/** A question with fewer matches is answered from the index of words; sorting them costs little. */
const FEW_MATCHES = 1_000;
/** Entries looked at in the order of their dates before it is judged whether to go on with that. */
const FIRST_LOOK = 300;
const LOOKS_MAX = 6_000;
/** With more objects than this the whole repository is looked through in the order of dates. */
const OBJECTS_BY_DATE_MAX = 100;
const NEWEST_FIRST = 'ORDER BY e.sort_date DESC, e.item DESC, e.object DESC';
const KEY = 'e.sort_date, e.item, e.object, e.first';

/**
 * The newest matches. Two ways lead there, and which of them is short depends on how frequent the words are together, which nobody
 * knows beforehand: the index of words gives all matches, which have to be sorted; the index of dates gives entries in order, of which
 * many do not match. So the first is tried as long as matches are few, and a look at the newest entries tells whether the second leads
 * anywhere soon; if not, all matches are sorted after all.
 */
export function findEntries(pool: pg.Pool, search: Search): Promise<FoundEntry[]> {
  return transaction(pool, async (connection) => {
    // The planner would choose by guesses of how frequent the words are together.
    if (search.words === null) return (await look(connection, search, null)).found.slice(0, search.query.limit);
    await connection.query(
      "SELECT set_config('enable_indexscan', 'off', true), set_config('enable_seqscan', 'off', true)",
    );
    const few = await byWords(connection, search, FEW_MATCHES);
    if (few !== null) return few;
    await connection.query(
      "SELECT set_config('enable_indexscan', 'on', true), set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)",
    );
    const newest = await byDate(connection, search);
    if (newest !== null) return newest;
    await connection.query(
      "SELECT set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'on', true), set_config('enable_sort', 'on', true)",
    );
    return (await byWords(connection, search, null)) ?? [];
  });
}

/** All matches by the index of words, sorted. @returns `null` when there are more than `matchesMax` */
async function byWords(
  connection: pg.PoolClient,
  search: Search,
  matchesMax: number | null,
): Promise<FoundEntry[] | null> {
  const values = new Values();
  const max = matchesMax ?? Number.MAX_SAFE_INTEGER;
  const found = await rows<FoundEntry & { matches: number }>(
    connection,
    `WITH matched AS MATERIALIZED (
       SELECT ${KEY}, e.next FROM search_entries e
       WHERE ${wordsMatch('e', search, values)} AND e.repository = ${values.add(search.repository, 'integer')}
         ${filters('e', search, values)} AND ${isAfter('e', search.after, values)} LIMIT ${values.add(max, 'bigint')} + 1)
     SELECT counted.matches, page.* FROM (SELECT count(*) AS matches FROM matched) counted LEFT JOIN LATERAL (
       SELECT ${KEY} FROM matched e WHERE counted.matches <= ${values.add(max, 'bigint')} AND ${isNewest('e', search, values)}
       ${NEWEST_FIRST} LIMIT ${values.add(search.query.limit, 'integer')}) page ON true`,
    values.list,
  );
  if ((found[0]?.matches ?? 0) > max) return null;
  return found.filter(({ item }) => item !== null);
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
    entries = expected;
    after = [seen.last.sort_date, seen.last.item, seen.last.object];
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
  const conditions = `${wordsMatch('e', search, values)}${filters('e', search, values)} AND ${isNewest('e', search, values)}`;
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
  const last = seen.at(-1);
  return { found: seen.filter(({ matches }) => matches), last: last === undefined ? null : last };
}

/** Entries newest first: of the repository, or of each object by itself. */
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
