import type pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';
import type { SearchHit, SearchPage, SearchQuery } from '../../catalog.ts';
import { containersBelow, containersNamed } from '../container-tree.ts';
import { OPEN_END, VERSION_COLUMNS, type VersionRow, versionOf } from '../item-record.ts';
import { objectsByNumber } from '../objects.ts';
import { type Connection, row, rows } from '../sessions/connection.ts';
import type { PeriodWords, Place, Search, Within } from './search-conditions.ts';
import { behindItem, type FoundEntry, findEntries } from './search-entries.ts';
import { facetTerms } from './search-facets.ts';
import { periodsOf, type WordScope } from './search-periods.ts';
import { NEIGHBOURS, question, TOGETHER } from './search-question.ts';

/** Deeper containers are not shown; no source has them, and a loop ends here. */
const DEPTH_MAX = 64;

const NOTHING: SearchPage = { hits: [], next: null };

/** Hits, newest first by their dates. */
export async function search(connection: pg.PoolClient, repository: number, query: SearchQuery): Promise<SearchPage> {
  const objects = await objectNumbers(connection, repository, query);
  const restorePoint = await runNumber(connection, repository, query.restorePoint);
  if (objects?.length === 0 || restorePoint === undefined) return NOTHING;
  const within = await containersWithin(connection, { objects, restorePoint }, query.within);
  if (within?.containers.length === 0) return NOTHING;
  const after = query.after === undefined ? null : readCursor(query.after);
  const periods = await periodsOf(connection, repository, query);
  const words = periods.map((period) => wordsOf({ repository, period }, query, objects));
  if (periods.length === 0 || words.includes('nothing')) return NOTHING;
  const asked = words.filter((one) => typeof one === 'object' && one !== null);
  const isOfWords = asked.length > 0;
  const search = { repository, objects, within, restorePoint, words: isOfWords ? asked : null, query, after };
  const { found, next } = await findEntries(connection, search);
  const hits = await hitsOf(connection, found, restorePoint);
  return {
    // Another organization may have begun to write into the repository since it was looked at.
    hits: hits.filter(({ object }) => (query.organizationId ?? object.organizationId) === object.organizationId),
    next: next === null ? null : cursorText(next),
  };
}

/** All that is asked of the index of words in a period; `null` when nothing is, `nothing` when that cannot be found. */
function wordsOf(
  scope: WordScope,
  query: SearchQuery,
  objects: readonly number[] | null,
): PeriodWords | 'nothing' | null {
  const words = question(scope, query, NEIGHBOURS);
  if (words === '') return 'nothing';
  const facets = facetTerms(scope, query, objects);
  if (words === null && facets.length === 0) return null;
  const withFacets = (text: string | null) => [...(text === null ? [] : [text]), ...facets].join(' & ');
  const together = question(scope, query, TOGETHER);
  return { period: scope.period, words: withFacets(words), together: withFacets(together) };
}

/** @returns `null` when all objects are searched: numbers of tens of thousands would take longer than the search itself */
async function objectNumbers(
  connection: Connection,
  repository: number,
  { objects, organizationId }: SearchQuery,
): Promise<number[] | null> {
  if (objects === undefined && !(await hasOthers(connection, repository, organizationId))) return null;
  const found = await rows<{ id: number }>(
    connection,
    `SELECT id FROM objects WHERE repository = $1 AND ($2::text[] IS NULL OR key = ANY ($2)) AND ($3::text IS NULL OR organization = $3)`,
    [repository, objects ?? null, organizationId ?? null],
  );
  return found.map(({ id }) => id);
}

/** Whether the repository has objects of other organizations than the one that is asked for. */
async function hasOthers(
  connection: Connection,
  repository: number,
  organizationId: string | undefined,
): Promise<boolean> {
  if (organizationId === undefined) return false;
  const found = await row(connection, 'SELECT FROM objects WHERE repository = $1 AND organization <> $2 LIMIT 1', [
    repository,
    organizationId,
  ]);
  return found !== null;
}

/** @returns `undefined` when there is no such run */
async function runNumber(
  connection: Connection,
  repository: number,
  run: string | undefined,
): Promise<number | null | undefined> {
  if (run === undefined) return null;
  const found = await row<{ id: number }>(connection, 'SELECT id FROM runs WHERE repository = $1 AND run = $2', [
    repository,
    run,
  ]);
  return found?.id;
}

/** The container that is searched with all below it, as they are at the restore point or were last; `null`: all are. */
async function containersWithin(
  connection: Connection,
  { objects, restorePoint }: Pick<Search, 'objects' | 'restorePoint'>,
  id: string | undefined,
): Promise<Within | null> {
  if (id === undefined) return null;
  const [object, ...others] = objects ?? [];
  if (object === undefined || others.length > 0)
    throw new EngineError('bad-request', 'A folder is searched in one object: say which one.');
  const tops = await containersNamed(connection, object, [id]);
  if (tops?.length === 0) return { containers: [], revision: null };
  const revision = restorePoint === null ? null : await revisionAt(connection, object, restorePoint);
  const at = revision ?? OPEN_END - 1;
  return { containers: await containersBelow(connection, object, at, tops, revision === null), revision };
}

async function revisionAt(connection: Connection, object: number, restorePoint: number): Promise<number | null> {
  const found = await row<{ revision: number }>(
    connection,
    'SELECT revision FROM restore_point_objects WHERE run = $1 AND object = $2',
    [restorePoint, object],
  );
  return found?.revision ?? null;
}

interface HitRow extends VersionRow {
  place: number;
  path: string[];
  gone_at: Date | null;
}

/**
 * The versions of found entries, of several with the same words the one at the restore point or the last, with the names of the
 * containers they are in at the restore point or, over all of time, at the version's own last revision.
 */
async function hitsOf(
  connection: Connection,
  found: readonly FoundEntry[],
  restorePoint: number | null,
): Promise<SearchHit[]> {
  const objects = await objectsByNumber(
    connection,
    found.map(({ object }) => object),
  );
  const versions = await rows<HitRow>(
    connection,
    `SELECT ${VERSION_COLUMNS}, hit.place::integer - 1 AS place, above.path, newest.gone_at
     FROM unnest($1::integer[], $2::uuid[], $3::integer[]) WITH ORDINALITY AS hit (object, item, last, place)
     LEFT JOIN restore_point_objects p ON p.run = $4 AND p.object = hit.object
     CROSS JOIN LATERAL (
       SELECT * FROM item_versions v WHERE v.object = hit.object AND v.item = hit.item
         AND v.first <= least(hit.last, p.revision) ORDER BY v.first DESC LIMIT 1) v
     JOIN containers c ON c.id = v.container
     CROSS JOIN LATERAL (
       SELECT n.ended_at AS gone_at FROM item_versions n WHERE n.object = hit.object AND n.item = hit.item
         ORDER BY n.first DESC LIMIT 1) newest
     CROSS JOIN LATERAL (
       WITH RECURSIVE up AS (
         SELECT c.item AS holder, 0 AS height, NULL::text AS name
         UNION ALL
         SELECT pc.item, up.height + 1, pv.record::json ->> 'name'
         FROM up CROSS JOIN LATERAL (
           SELECT * FROM item_versions pv WHERE pv.object = v.object AND pv.item = up.holder
             AND pv.first <= coalesce(p.revision, v.last) ORDER BY pv.first DESC LIMIT 1) pv
         JOIN containers pc ON pc.id = pv.container WHERE up.height < ${DEPTH_MAX})
       SELECT coalesce(json_agg(name ORDER BY height DESC) FILTER (WHERE height > 0), '[]') AS path FROM up) above
     ORDER BY place`,
    [found.map(({ object }) => object), found.map(({ item }) => item), found.map(({ last }) => last), restorePoint],
  );
  return versions.flatMap((version) => {
    const entry = found[version.place];
    const object = entry && objects.get(entry.object);
    if (entry === undefined || object === undefined) return [];
    return [
      {
        object,
        version: versionOf(version),
        path: version.path,
        goneAt: version.gone_at,
        cursor: cursorText(behindItem(entry)),
      },
    ];
  });
}

function cursorText(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** A cursor given out by an earlier version has three members, and is that of a hit. */
function readCursor(cursor: string): Place {
  const [date, item, object, first = 0] =
    Buffer.from(cursor, 'base64url')
      .toString()
      .match(/^\[(-?\d+),"([0-9a-f-]{36})",(\d+)(?:,(\d+))?\]$/)
      ?.slice(1) ?? [];
  if (date !== undefined && item !== undefined && object !== undefined)
    return [Number(date), item, Number(object), Number(first)];
  throw new EngineError('bad-request', 'This page no longer fits the search. Start again from its first page.');
}
