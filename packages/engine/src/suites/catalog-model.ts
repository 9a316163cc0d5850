import fc from 'fast-check';
import type { ItemVersion, StoredItem } from '../model/items.ts';
import type { Commit, ObjectChange, ObjectSection } from '../repository/commit.ts';
import { buildCommit, buildEnd, buildFolder, buildItem, buildSection, day, put, remove } from './catalog-builders.ts';

/** What the catalog should know of one object, stored the plainest way: all its versions in a list. */
export class ObjectModel {
  versions: ItemVersion[] = [];
  /** Restore points it is in. */
  points: { run: string; revision: number; finishedAt: Date }[] = [];
  revision = 0;

  apply({ revision, at, changes }: ObjectSection): void {
    this.revision = revision;
    for (const change of changes) {
      if (change.type !== 'put' && change.type !== 'remove') continue;
      const id = change.type === 'put' ? change.item.id : change.item;
      // Of two changes in one revision the later counts.
      this.versions = this.versions.filter((one) => one.id !== id || one.firstRevision !== revision);
      const current = this.versions.find((one) => one.id === id && one.lastRevision === null);
      if (current !== undefined) Object.assign(current, { lastRevision: revision - 1, endedAt: at });
      if (change.type === 'put') {
        this.versions.push({ ...change.item, firstRevision: revision, lastRevision: null, endedAt: null });
      }
    }
  }

  /** What ended and what finished before goes, but for the newest restore point and what there has been since. */
  expire(before: Date): void {
    const newest = this.points.at(-1);
    const isRetained = ({ finishedAt }: { finishedAt: Date }) => finishedAt >= before;
    const retainedFrom = newest === undefined || isRetained(newest) ? Number.POSITIVE_INFINITY : newest.revision;
    this.points = this.points.filter((point) => point === newest || isRetained(point));
    this.versions = this.versions.filter(
      ({ endedAt, lastRevision }) => endedAt === null || endedAt >= before || (lastRevision ?? 0) >= retainedFrom,
    );
  }

  /** Whether nothing of a revision has expired, as far as is known: a query for all of another one answers that it is gone. */
  isWhole(revision: number): boolean {
    return revision === this.revision || this.points.some((point) => point.revision === revision);
  }

  /** What is there at a revision; with deleted ones, the newest version of each item until then. */
  at(revision: number, showDeleted = false): ItemVersion[] {
    const known = this.versions.filter(({ firstRevision }) => firstRevision <= revision);
    if (!showDeleted) return known.filter(({ lastRevision }) => lastRevision === null || lastRevision >= revision);
    return [...Map.groupBy(known, ({ id }) => id).values()].map((versions) =>
      versions.reduce((newest, one) => (one.firstRevision > newest.firstRevision ? one : newest)),
    );
  }
}

export class CatalogModel {
  readonly objects = new Map<string, ObjectModel>();
  expiredBefore = new Date(0);

  apply({ run, sections, expiredBefore, end }: Commit): void {
    for (const section of sections) {
      const object = this.objects.get(section.key) ?? new ObjectModel();
      this.objects.set(section.key, object);
      object.apply(section);
    }
    for (const [key, revision] of end?.objects ?? [])
      this.objects.get(key)?.points.push({ run, revision, finishedAt: end?.finishedAt ?? new Date(0) });
    if (expiredBefore !== null && expiredBefore > this.expiredBefore) this.expiredBefore = expiredBefore;
    for (const object of this.objects.values()) object.expire(this.expiredBefore);
  }
}

export const FOLDERS = ['inbox', 'archive'] as const;
export const OBJECTS = ['ada', 'bob'] as const;

const item: fc.Arbitrary<StoredItem> = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    parentId: fc.constantFrom(null, ...FOLDERS),
    number: fc.nat(12),
    sizeBytes: fc.nat(3),
    date: fc.nat(5),
    kind: fc.constantFrom<StoredItem['kind']>('message', 'event'),
  })
  .map(({ id, number, date, ...rest }) =>
    buildItem(id, {
      ...rest,
      name: `Report ${number}`,
      modifiedAt: day(date),
      details: { startsAt: day(date).toISOString() },
    }),
  );

const lost = fc
  .constantFrom('a', 'b', 'c')
  .map((id) => ({ id, kind: 'message', name: id, parentId: 'inbox', reason: 'It cannot be read.' }) as const);
const cursor = fc.record({ scope: fc.constantFrom('x', 'y'), value: fc.option(fc.constantFrom('1', '2', '3')) });

const change = fc.oneof(
  { weight: 4, arbitrary: item.map(put) },
  { weight: 2, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g').map(remove) },
  { weight: 1, arbitrary: fc.constantFrom(...FOLDERS).map((id) => put(buildFolder(id))) },
  { weight: 1, arbitrary: fc.constantFrom(...FOLDERS).map(remove) },
  { weight: 1, arbitrary: lost.map((item): ObjectChange => ({ type: 'lost', item })) },
  { weight: 1, arbitrary: lost.map(({ id }): ObjectChange => ({ type: 'found', item: id })) },
  { weight: 1, arbitrary: cursor.map((one): ObjectChange => ({ type: 'cursor', ...one })) },
);

const step = fc.record({
  object: fc.constantFrom(...OBJECTS),
  changes: fc.array(change, { maxLength: 6 }),
  /** A prune of what ended so many days ago. */
  expire: fc.option(fc.nat(4), { freq: 6 }),
});

/** Commits in the order in which they were made, each a run of its own that ends as a restore point; the objects take turns as they like. */
export const commits: fc.Arbitrary<Commit[]> = fc.array(step, { minLength: 1, maxLength: 14 }).map((steps) => {
  const revisions = new Map<string, number>();
  return steps.map(({ object, changes, expire }, at) => {
    const revision = (revisions.get(object) ?? 0) + 1;
    revisions.set(object, revision);
    return buildCommit(`run-of-${object}-${String(revision).padStart(2, '0')}`, 1, {
      sections: [buildSection(revision, changes, { key: object, at: day(at) })],
      expiredBefore: expire === null ? null : day(at - expire),
      end: buildEnd([[object, revision]], { finishedAt: day(at) }),
    });
  });
});
