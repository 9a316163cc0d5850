import { expect, it } from 'vitest';
import type { Findings } from '../model/outcome.ts';
import type { TestRepositoryCatalog } from '../testing/test-catalog.ts';
import {
  all,
  buildCommit,
  buildEnd,
  buildHeader,
  buildItem,
  buildSection,
  day,
  put,
  remove,
} from './catalog-builders.ts';

/** What every catalog guarantees of restore points and their expiry. */
export function restorePointGuarantees(newRepository: () => Promise<TestRepositoryCatalog>): void {
  it('are the ends of backups, newest first, with their objects', async () => {
    const repository = await newRepository();
    await repository.apply(
      buildCommit('a', 1, {
        sections: [buildSection(1, []), buildSection(1, [], { key: 'bob', name: 'Bob' })],
        end: buildEnd([
          ['ada', 1],
          ['bob', 1],
        ]),
      }),
    );
    const findings: Findings = {
      failures: [],
      lost: [{ id: 'm', kind: 'message' as const, name: 'M', parentId: null, reason: 'Gone.', objectName: 'Ada' }],
      skipped: [],
      alerts: [{ code: 'slow', message: 'Slow.' }],
      objects: { ada: 'incomplete', bob: 'unlisted' },
    };
    await repository.apply(
      buildCommit('b', 1, {
        sections: [buildSection(2, [])],
        end: buildEnd([['ada', 2]], { outcome: 'Warning', finishedAt: day(2), findings }),
      }),
    );
    await repository.apply(buildCommit('c', 1, { header: buildHeader('c', { kind: 'prune' }), end: buildEnd([]) }));
    const points = await repository.listRestorePoints({ limit: 10, offset: 0 });
    expect(points.map(({ run, isPartial }) => [run.id, isPartial])).toEqual([
      ['b', true],
      ['a', false],
    ]);
    const [{ incompleteObjects, revision, flag, ...listed } = { incompleteObjects: 0, revision: 0, flag: null }] =
      points;
    expect({ incompleteObjects, revision, flag }).toEqual({ incompleteObjects: 1, revision: null, flag: null });
    expect(listed).toMatchObject({ outcome: 'Warning', finishedAt: day(2), isPartial: true });
    expect(await repository.restorePoint('b')).toEqual({ ...listed, findings, objects: [['ada', 2]] });
    expect(await repository.restorePoint('c')).toBeNull();
    const job = { organizationId: 'contoso', job: 'job-1', keepDays: null };
    expect(await repository.listJobs()).toEqual([{ ...job, restorePoints: 2, oldest: day(1), newest: day(2) }]);
    const objects = await repository.restorePointObjects('a');
    expect(objects.map(({ object, revision }) => [object.name, revision])).toEqual([
      ['Ada Lovelace', 1],
      ['Bob', 1],
    ]);
    const ofBob = await repository.listRestorePoints({ object: 'bob', limit: 10, offset: 0 });
    expect(ofBob.map(({ run, revision }) => [run.id, revision])).toEqual([['a', 1]]);
    const filtered = { organizationId: 'contoso', job: 'job-1', from: day(2), to: day(3), limit: 10, offset: 0 };
    expect((await repository.listRestorePoints(filtered)).map(({ run }) => run.id)).toEqual(['b']);
    expect(await repository.listRestorePoints({ organizationId: 'other', limit: 10, offset: 0 })).toEqual([]);
    expect((await repository.listRestorePoints({ limit: 1, offset: 1 })).map(({ run }) => run.id)).toEqual(['a']);
  });

  it('are no runs that ended without any object, however they ended', async () => {
    const repository = await newRepository();
    const section = buildSection(1, [put(buildItem('m'))]);
    const end = buildEnd([['ada', 1]], { outcome: 'Failed', finishedAt: day(1) });
    await repository.apply(buildCommit('a', 1, { sections: [section], end }));
    await repository.apply(buildCommit('b', 1, { end: buildEnd([], { outcome: 'Failed', finishedAt: day(2) }) }));
    const points = await repository.listRestorePoints({ limit: 9, offset: 0 });
    expect(points.map(({ run, isPartial }) => [run.id, isPartial])).toEqual([['a', true]]);
    expect(await repository.restorePoint('b')).toBeNull();
    const last = buildEnd([['ada', 1]], { finishedAt: day(3) });
    await repository.apply(buildCommit('c', 1, { end: last }));
    expect((await repository.expirable(day(9))).restorePoints).toBe(1);
    expect((await repository.openRuns()).size).toBe(0);
  });

  it('do not end with an object of which the catalog lacks the commit', async () => {
    const repository = await newRepository();
    const commit = (revision: number) =>
      buildCommit('a', 1, { sections: [buildSection(1, [])], end: buildEnd([['ada', revision]]) });
    await expect(repository.apply(commit(2))).rejects.toMatchObject({ code: 'damaged' });
    await repository.apply(commit(1));
  });

  it('go when they are expired, with the versions that ended before; their runs stay known', async () => {
    const repository = await newRepository();
    await repository.apply(
      buildCommit('a', 1, {
        sections: [buildSection(1, [put(buildItem('m')), put(buildItem('n'))])],
        end: buildEnd([['ada', 1]]),
      }),
    );
    await repository.apply(
      buildCommit('b', 1, {
        sections: [buildSection(2, [put(buildItem('m', { sizeBytes: 7 }))])],
        end: buildEnd([['ada', 2]], { finishedAt: day(2) }),
      }),
    );
    await repository.index([{ object: 'ada', item: 'm', firstRevision: 1, text: 'zebra' }]);
    await repository.apply(
      buildCommit('c', 1, { sections: [buildSection(3, [])], end: buildEnd([['ada', 3]], { finishedAt: day(3) }) }),
    );
    expect(await repository.expirable(day(3))).toEqual({ versions: 1, bytes: 100, restorePoints: 2 });
    expect(await repository.expirable(day(2))).toEqual({ versions: 0, bytes: 0, restorePoints: 1 });
    await repository.apply(buildCommit('p', 1, { expiredBefore: day(3), end: buildEnd([]) }));
    expect((await repository.versionsOf('ada', 'm')).map(({ firstRevision }) => firstRevision)).toEqual([2]);
    expect(await repository.versionsOf('ada', 'n')).toHaveLength(1);
    expect((await repository.search({ text: 'zebra', limit: 5 })).hits).toEqual([]);
    expect(await repository.countUnindexed()).toBe(2);
    expect(await repository.restorePoint('b')).toBeNull();
    expect(await repository.listJobs()).toMatchObject([{ restorePoints: 1, oldest: day(3), newest: day(3) }]);
    expect([...(await repository.commitsBetween('', 'b')).keys()]).toEqual(['a', 'b']);
    expect(await repository.expirable(day(3))).toEqual({ versions: 0, bytes: 0, restorePoints: 0 });
  });

  it('keep each object in its newest one, whatever its age, with all it shows then', async () => {
    const repository = await newRepository();
    const bob = { key: 'bob', name: 'Bob' };
    const both = [buildSection(1, [put(buildItem('m'))]), buildSection(1, [put(buildItem('n'))], bob)];
    await repository.apply(
      buildCommit('a', 1, {
        sections: both,
        end: buildEnd(
          [
            ['ada', 1],
            ['bob', 1],
          ],
          { finishedAt: day(1) },
        ),
      }),
    );
    // Bob has left; a run that was killed took his mail away, and made no restore point.
    await repository.apply(buildCommit('b', 1, { sections: [buildSection(2, [remove('n')], { ...bob, at: day(2) })] }));
    await repository.apply(
      buildCommit('c', 1, {
        sections: [buildSection(2, [remove('m')], { at: day(3) })],
        end: buildEnd([['ada', 2]], { finishedAt: day(3) }),
      }),
    );
    expect(await repository.expirable(day(9))).toEqual({ versions: 1, bytes: 100, restorePoints: 0 });
    await repository.apply(buildCommit('p', 1, { expiredBefore: day(9), end: buildEnd([]) }));
    const points = await repository.listRestorePoints({ limit: 9, offset: 0 });
    expect(points.map(({ run }) => run.id)).toEqual(['c', 'a']);
    expect((await repository.restorePoint('c'))?.objects).toEqual([['ada', 2]]);
    expect((await repository.restorePoint('a'))?.objects).toEqual([['bob', 1]]);
    expect((await all(repository.walk('bob', 1, null))).map(({ id }) => id)).toEqual(['n']);
    expect(await repository.versionsOf('ada', 'm')).toEqual([]);
    // A newer one comes: the old one is needed no longer, and there is nothing that another expiry would have to do.
    await repository.apply(
      buildCommit('d', 1, {
        sections: [buildSection(3, [], { ...bob, at: day(9) })],
        end: buildEnd([['bob', 3]], { finishedAt: day(9) }),
      }),
    );
    expect(await repository.restorePoint('a')).toBeNull();
    expect(await repository.versionsOf('bob', 'n')).toEqual([]);
    expect(await repository.expirable(day(9))).toEqual({ versions: 0, bytes: 0, restorePoints: 0 });
  });

  it('are left by all of their objects at once when several later ones end side by side', async () => {
    const repository = await newRepository();
    const keys = ['ada', 'bob', 'eve', 'joe'];
    const sections = keys.map((key) => buildSection(1, [put(buildItem('m'))], { key }));
    const objects = keys.map((key): [string, number] => [key, 1]);
    await repository.apply(buildCommit('old', 1, { sections, end: buildEnd(objects, { finishedAt: day(1) }) }));
    await repository.apply(buildCommit('p', 1, { expiredBefore: day(5), end: buildEnd([]) }));
    expect((await repository.restorePoint('old'))?.objects).toHaveLength(4);
    const later = keys.map((key) =>
      buildCommit(`new-${key}`, 1, { end: buildEnd([[key, 1]], { finishedAt: day(9) }) }),
    );
    await Promise.all(later.map((commit) => repository.apply(commit)));
    expect(await repository.restorePoint('old')).toBeNull();
    const one = await repository.fingerprint();
    const other = await newRepository();
    await other.apply(buildCommit('old', 1, { sections, end: buildEnd(objects, { finishedAt: day(1) }) }));
    for (const commit of [...later, buildCommit('p', 1, { expiredBefore: day(5), end: buildEnd([]) })])
      await other.apply(commit);
    expect(await other.fingerprint()).toEqual(one);
  });
}
