import type pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';
import type { Commit, ObjectSection } from '../../../repository/commit.ts';
import { eraseObject, recordErasure } from '../retention/erasures.ts';
import { foundAsBefore } from '../search/same-words.ts';
import { rows } from '../sessions/connection.ts';
import { newestDate } from '../sort-keys.ts';
import { applyChanges, type ChangedObject, findingByIndex, storable } from './apply-versions.ts';
import { type SectionChanges, sumOf } from './section-changes.ts';
import { VersionChanges } from './version-changes.ts';

/** A section, and the revision under which it is stored: a later one than its own where another commit has brought that one already. */
export interface StoredSection {
  section: ObjectSection;
  storedAs: number;
}

/** An object at the revision that comes next in the catalog. */
interface NextRevision {
  id: number;
  revision: number;
}

type Place = Pick<Commit, 'run' | 'sequence'>;

interface Summed {
  section: ObjectSection;
  sum: SectionChanges;
}

/**
 * Brings the objects of sections to their next revisions, with as many queries as one of them takes: a night's commit is of a thousand mailboxes.
 * @param sections in the order in which every writer locks their objects
 * @throws `damaged` when a revision before one is missing, unless they are to be applied over gaps
 */
export async function applySections(
  connection: pg.PoolClient,
  repository: number,
  sections: readonly ObjectSection[],
  commit: Place,
  isOverGaps: boolean,
): Promise<StoredSection[]> {
  const stored: StoredSection[] = [];
  for (const round of roundsOf(sections))
    stored.push(...(await applyRound(connection, repository, round, commit, isOverGaps)));
  return stored;
}

/** Sections of one object follow one another: each round has one of each. */
function roundsOf(sections: readonly ObjectSection[]): ObjectSection[][] {
  const before = new Map<string, number>();
  const rounds = Map.groupBy(sections, ({ key }) => {
    const round = before.get(key) ?? 0;
    before.set(key, round + 1);
    return round;
  });
  return [...rounds.values()];
}

async function applyRound(
  connection: pg.PoolClient,
  repository: number,
  sections: readonly ObjectSection[],
  commit: Place,
  isOverGaps: boolean,
): Promise<StoredSection[]> {
  const summed = sections.map((section) => ({ section, sum: sumOf(section.changes) }));
  const nexts = await nextRevisions(connection, repository, summed, commit.run);
  const stored: StoredSection[] = [];
  const changed: ChangedObject[] = [];
  for (const { section, sum } of summed) {
    const next = nexts.get(section.key);
    if (next === undefined) throw new Error(`The object ${section.key} was stored in the catalog and is not in it.`);
    const storedAs = await overGap(connection, section, next, commit, isOverGaps);
    stored.push({ section, storedAs });
    const erasure = section.changes.find((change) => change.type === 'erased');
    if (erasure === undefined) changed.push(await changedObject(connection, { section, sum }, next, storedAs));
    else {
      await eraseObject(connection, { id: next.id, revision: storedAs });
      await recordErasure(connection, repository, commit.run, section, storedAs, erasure);
    }
  }
  await findingByIndex(connection, async () => {
    const known = changed.filter(({ isNew }) => !isNew);
    await applyChanges(connection, repository, changed, await foundAsBefore(connection, known));
  });
  return stored;
}

/** Where the section is not what comes next, its cursors do not go on from what the catalog has: the next run asks for everything. */
async function changedObject(
  connection: pg.PoolClient,
  { section, sum }: Summed,
  { id: object, revision }: NextRevision,
  storedAs: number,
): Promise<ChangedObject> {
  const changes = new VersionChanges();
  changes.add({ revision: storedAs, at: section.at }, sum);
  if (revision !== section.revision) {
    changes.cursors.clear();
    await connection.query('DELETE FROM cursors WHERE object = $1', [object]);
  }
  return { object, changes, isNew: storedAs === 1 };
}

/**
 * Brings an object over revisions that are missing before a section.
 * @returns the revision under which the section is stored
 */
async function overGap(
  connection: pg.PoolClient,
  section: ObjectSection,
  next: NextRevision,
  commit: Place,
  isOverGaps: boolean,
): Promise<number> {
  if (next.revision >= section.revision) return next.revision;
  if (!isOverGaps) throw gapBefore(section, next.revision, `commit ${commit.sequence} of run ${commit.run}`);
  await connection.query('UPDATE objects SET revision = $2 WHERE id = $1', [next.id, section.revision]);
  return section.revision;
}

function gapBefore({ kind, name, revision }: ObjectSection, next: number, place: string): EngineError {
  return new EngineError(
    'damaged',
    `The ${place} has revision ${revision} of ${kind} '${name}', where ${next} comes next: a commit is missing. Rebuild the catalog from the repository; should that say the same, verify the repository.`,
  );
}

/** Moves each object on by one, or stores it as new; their rows stay locked until the transaction ends. */
async function nextRevisions(
  connection: pg.PoolClient,
  repository: number,
  sections: readonly Summed[],
  run: string,
): Promise<Map<string, NextRevision>> {
  const of = <T>(value: (section: ObjectSection) => T) => sections.map(({ section }) => value(section));
  const stored = await rows<NextRevision & { key: string }>(
    connection,
    `INSERT INTO objects (repository, key, organization, kind, object_id, name, owner, address, revision, newest, newest_run)
     SELECT $1, o.key, o.organization, o.kind, o.object_id, o.name, o.owner, o.address, 1, o.newest, $10
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[])
       AS o (key, organization, kind, object_id, name, owner, address, newest)
     ON CONFLICT (repository, key) DO UPDATE
     SET organization = excluded.organization, object_id = excluded.object_id, name = excluded.name, owner = excluded.owner, address = excluded.address, revision = objects.revision + 1,
       newest = greatest(objects.newest, excluded.newest), newest_run = greatest(objects.newest_run, excluded.newest_run)
     RETURNING id, key, revision`,
    [
      repository,
      of(({ key }) => key),
      of(({ organizationId }) => organizationId),
      of(({ kind }) => kind),
      of(({ id }) => id),
      of(({ name }) => storable(name)),
      of(({ owner }) => owner && storable(owner)),
      of(({ address }) => address && storable(address)),
      sections.map(({ sum }) => newestDate(sum.puts.values())),
      run,
    ],
  );
  return new Map(stored.map(({ key, id, revision }) => [key, { id, revision }]));
}
