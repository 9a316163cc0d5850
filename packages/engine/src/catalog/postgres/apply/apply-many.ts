import type pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';
import type { Commit, ObjectSection } from '../../../repository/commit.ts';
import type { ApplyOptions, CatalogWaits } from '../../catalog.ts';
import { expireAfter } from '../retention/expiry.ts';
import { rows, transaction } from '../sessions/connection.ts';
import { newestDate } from '../sort-keys.ts';
import { preventReplacement } from '../successor.ts';
import { placeOf } from './apply.ts';
import { orderedJson } from './apply-end.ts';
import { storePacks } from './apply-packs.ts';
import { applyChanges, findByIndex, storable } from './apply-versions.ts';
import { moveRuns } from './move-runs.ts';
import { sumOf } from './section-changes.ts';
import { VersionChanges } from './version-changes.ts';

/** An object as the commits so far left it. */
interface ObjectState {
  id: number | null;
  revision: number;
  newest: number;
  /** The latest of the runs of these commits that have a section of it; empty without one. */
  newestRun: string;
  erasedRevision: number;
  /** The last section of it, which has its names. */
  section: ObjectSection | null;
  changes: VersionChanges;
}

interface PointObject {
  run: string;
  key: string;
  revision: number;
  newest: number;
}

/**
 * Applies many plain commits in one transaction, with as many queries as one of them takes: for a catalog that is being made, in which nothing is
 * indexed for the search yet. It comes to the same as applying one after the other.
 * @throws `damaged` for one that does not follow, or that brings a revision which is not the next
 */
export function applyMany(
  pool: pg.Pool,
  repository: number,
  commits: readonly Commit[],
  { signal }: Pick<ApplyOptions, 'signal'>,
  { onWait }: CatalogWaits,
): Promise<void> {
  return transaction(pool, async (connection) => {
    await preventReplacement(pool, connection, repository, { onWait, signal });
    await findByIndex(connection);
    const runs = await moveRuns(connection, repository, commits);
    await storePacks(
      connection,
      repository,
      commits.flatMap(({ packs }) => packs),
    );
    const objects = await statesOf(connection, repository, commits);
    const known = new Set(objects.keys());
    const points: PointObject[] = [];
    for (const commit of commits) {
      for (const section of commit.sections) addSection(objects, section, commit);
      points.push(...pointObjects(objects, commit));
    }
    await storeObjects(connection, repository, objects);
    const changed = [...objects.values()].filter(({ section }) => section !== null);
    await applyChanges(
      connection,
      repository,
      changed.map(({ id, section, changes }) => ({ object: id ?? 0, changes, isNew: !known.has(section?.key ?? '') })),
    );
    await storeEnds(connection, commits, runs);
    await storePoints(connection, points, objects, runs);
    const ended = commits.flatMap(({ run, end }) => (end === null ? [] : (runs.get(run) ?? [])));
    if (ended.length > 0) await expireAfter(connection, repository, ended);
  });
}

async function statesOf(
  connection: pg.PoolClient,
  repository: number,
  commits: readonly Commit[],
): Promise<Map<string, ObjectState>> {
  const keys = new Set<string>();
  for (const { sections, end } of commits) {
    for (const { key } of sections) keys.add(key);
    for (const [key] of end?.objects ?? []) keys.add(key);
  }
  const found = await rows<{ id: number; key: string; revision: number; newest: number; erased: number }>(
    connection,
    `SELECT id, key, revision, newest, erased_revision AS erased FROM objects
     WHERE repository = $1 AND key = ANY ($2) ORDER BY key FOR UPDATE`,
    [repository, [...keys]],
  );
  return new Map(
    found.map(({ id, key, revision, newest, erased }) => [
      key,
      { id, revision, newest, newestRun: '', erasedRevision: erased, section: null, changes: new VersionChanges() },
    ]),
  );
}

function addSection(objects: Map<string, ObjectState>, section: ObjectSection, commit: Commit): void {
  const state = objects.get(section.key) ?? {
    id: null,
    revision: 0,
    newest: Number.NEGATIVE_INFINITY,
    newestRun: '',
    erasedRevision: 0,
    section: null,
    changes: new VersionChanges(),
  };
  if (section.revision !== state.revision + 1)
    throw doesNotFollow(
      `The ${placeOf(commit)} has revision ${section.revision} of ${section.kind} '${section.name}', where ${state.revision + 1} comes next.`,
    );
  state.revision = section.revision;
  state.section = section;
  if (commit.run > state.newestRun) state.newestRun = commit.run;
  const sum = sumOf(section.changes);
  state.changes.add(section, sum);
  state.newest = Math.max(state.newest, newestDate(sum.puts.values()));
  objects.set(section.key, state);
}

/** The objects of a run's end, as they are at this commit. */
function pointObjects(objects: ReadonlyMap<string, ObjectState>, commit: Commit): PointObject[] {
  const points: PointObject[] = [];
  for (const [key, revision] of new Map(commit.end?.objects)) {
    const state = objects.get(key);
    if (state === undefined || revision > state.revision)
      throw doesNotFollow(
        `The ${placeOf(commit)} ends with revision ${revision} of the object ${key}, and the last one is ${state?.revision ?? 0}.`,
      );
    if (revision > state.erasedRevision) points.push({ run: commit.run, key, revision, newest: state.newest });
  }
  return points;
}

function doesNotFollow(text: string): EngineError {
  return new EngineError('damaged', `${text} A commit is missing: rebuild the catalog from the repository.`);
}

async function storeObjects(
  connection: pg.PoolClient,
  repository: number,
  objects: ReadonlyMap<string, ObjectState>,
): Promise<void> {
  const changed = [...objects.values()].filter(({ section }) => section !== null);
  const of = <T>(value: (section: ObjectSection, state: ObjectState) => T) =>
    changed.flatMap((state) => (state.section === null ? [] : [value(state.section, state)]));
  const stored = await rows<{ id: number; key: string }>(
    connection,
    `INSERT INTO objects (repository, key, organization, kind, object_id, name, owner, address, revision, newest, newest_run)
     SELECT $1, o.* FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::integer[], $10::bigint[], $11::text[]) AS o
     ON CONFLICT (repository, key) DO UPDATE
     SET organization = excluded.organization, object_id = excluded.object_id, name = excluded.name, owner = excluded.owner, address = excluded.address,
       revision = excluded.revision, newest = excluded.newest, newest_run = greatest(objects.newest_run, excluded.newest_run)
     RETURNING id, key`,
    [
      repository,
      of(({ key }) => key),
      of(({ organizationId }) => organizationId),
      of(({ kind }) => kind),
      of(({ id }) => id),
      of(({ name }) => storable(name)),
      of(({ owner }) => owner && storable(owner)),
      of(({ address }) => address && storable(address)),
      of((_, { revision }) => revision),
      of((_, { newest }) => newest),
      of((_, { newestRun }) => newestRun),
    ],
  );
  for (const { id, key } of stored) {
    const state = objects.get(key);
    if (state !== undefined) state.id = id;
  }
}

async function storeEnds(
  connection: pg.PoolClient,
  commits: readonly Commit[],
  runs: ReadonlyMap<string, number>,
): Promise<void> {
  const ends = commits.flatMap(({ run, end }) => (end === null ? [] : [{ id: runs.get(run), end }]));
  if (ends.length === 0) return;
  await connection.query(
    `UPDATE runs SET outcome = e.outcome, finished_at = e.finished_at, counts = e.counts, findings = e.findings
     FROM unnest($1::integer[], $2::text[], $3::timestamptz[], $4::text[], $5::text[]) AS e (id, outcome, finished_at, counts, findings)
     WHERE runs.id = e.id`,
    [
      ends.map(({ id }) => id),
      ends.map(({ end }) => end.outcome),
      ends.map(({ end }) => end.finishedAt),
      ends.map(({ end }) => orderedJson(end.counts)),
      ends.map(({ end }) => orderedJson(end.findings)),
    ],
  );
}

async function storePoints(
  connection: pg.PoolClient,
  points: readonly PointObject[],
  objects: ReadonlyMap<string, ObjectState>,
  runs: ReadonlyMap<string, number>,
): Promise<void> {
  if (points.length === 0) return;
  await connection.query(
    `INSERT INTO restore_point_objects (run, object, revision, newest)
     SELECT * FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[])`,
    [
      points.map(({ run }) => runs.get(run)),
      points.map(({ key }) => objects.get(key)?.id),
      points.map(({ revision }) => revision),
      points.map(({ newest }) => newest),
    ],
  );
}
