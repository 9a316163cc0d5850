import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowseQuery, Catalog, RepositoryCatalog } from '../catalog/catalog.ts';
import type { ItemVersion } from '../model/items.ts';
import {
  all,
  buildCommit,
  buildEnd,
  buildFolder,
  buildHeader,
  buildItem,
  buildPack,
  buildSection,
  chunk,
  day,
  packName,
  put,
  remove,
} from './catalog-builders.ts';
import { CatalogModel, commits, FOLDERS, type ObjectModel } from './catalog-model.ts';
import { searchGuarantees } from './catalog-search.suite.ts';

/** What every catalog guarantees. `open` gives an empty one; repositories in it are told apart by their ids. */
export function catalogSuite(name: string, open: () => Promise<{ catalog: Catalog; close(): Promise<void> }>): void {
  describe(`${name}: the catalog`, () => {
    let catalog: Catalog;
    let close: () => Promise<void>;
    let repositories = 0;

    beforeAll(async () => {
      ({ catalog, close } = await open());
    });
    afterAll(() => close());

    const newRepository = () => {
      repositories += 1;
      return catalog.repository(`repository-${repositories}`);
    };

    describe('applying commits', () => {
      it('shows what a commit put, with all that the journal says of it', async () => {
        const repository = await newRepository();
        const item = buildItem('m', {
          name: 'Tab\there, "quotes", \\ and a line\nbreak, 日本語 🎈',
          details: { from: 'Bob <bob@contoso.example>', to: ['x\\N'], hasAttachments: true },
          contents: [
            {
              name: 'mime',
              sizeBytes: 40,
              segments: [[chunk(1), 0, 20], { base64: 76, end: 'crlf', of: [[chunk(2), 0, 30]] }],
            },
            { name: 'versions/1.0', sizeBytes: 9, list: [[chunk(3), 0, 9]] },
          ],
        });
        await repository.apply(buildCommit('r', 1, { sections: [buildSection(1, [put(item)])] }));
        expect((await repository.current('ada', ['m', 'other'])).get('m')).toEqual(item);
        expect(await repository.item('ada', 1, 'm')).toEqual({
          ...item,
          firstRevision: 1,
          lastRevision: null,
          endedAt: null,
        });
      });

      it('changes nothing when a commit comes again', async () => {
        const repository = await newRepository();
        const first = buildCommit('r', 1, {
          packs: [buildPack(1, [1, 2])],
          sections: [buildSection(1, [put(buildItem('m')), { type: 'cursor', scope: 'inbox', value: 'token' }])],
        });
        const second = buildCommit('r', 2, { sections: [buildSection(2, [remove('m')])], end: buildEnd([['ada', 2]]) });
        await repository.apply(first);
        await repository.apply(second);
        const before = await repository.fingerprint();
        await repository.apply(first);
        await repository.apply(second);
        expect(await repository.fingerprint()).toEqual(before);
      });

      it('refuses a commit whose revision is missing or taken, and keeps nothing of it', async () => {
        const repository = await newRepository();
        await repository.apply(buildCommit('r', 1, { sections: [buildSection(1, [put(buildItem('m'))])] }));
        const before = await repository.fingerprint();
        const taken = buildCommit('s', 1, { packs: [buildPack(2, [5])], sections: [buildSection(1, [remove('m')])] });
        const ahead = buildCommit('s', 1, { sections: [buildSection(3, [remove('m')])] });
        await expect(repository.apply(taken)).rejects.toMatchObject({ code: 'damaged' });
        await expect(repository.apply(ahead)).rejects.toMatchObject({ code: 'damaged' });
        expect(await repository.fingerprint()).toEqual(before);
        expect(await repository.unknownRuns(['r', 's'])).toEqual(['s']);
      });

      it('refuses a commit that does not follow the last one of its run', async () => {
        const repository = await newRepository();
        await expect(repository.apply(buildCommit('r', 2))).rejects.toMatchObject({ code: 'damaged' });
        await repository.apply(buildCommit('r', 1));
        await expect(repository.apply(buildCommit('r', 3))).rejects.toMatchObject({ code: 'damaged' });
      });

      it('knows a run as open until its end, or until another closes it', async () => {
        const repository = await newRepository();
        await repository.apply(buildCommit('r', 1));
        await repository.apply(buildCommit('s', 1));
        await repository.apply(buildCommit('t', 1));
        await repository.apply(buildCommit('s', 2, { end: buildEnd([]) }));
        await repository.apply(buildCommit('t', 2, { closedBy: 'r' }));
        expect([...(await repository.openRuns())]).toEqual([['r', 1]]);
        expect(await repository.unknownRuns(['z', 's', 'a'])).toEqual(['z', 'a']);
      });

      it('keeps cursors and lost items of an object until they are taken back', async () => {
        const repository = await newRepository();
        const lost = { id: 'm', kind: 'message' as const, name: 'Gone\0', parentId: null, reason: 'Try again.' };
        await repository.apply(
          buildCommit('r', 1, {
            sections: [
              buildSection(1, [
                { type: 'cursor', scope: 'one', value: 'a' },
                { type: 'cursor', scope: 'two', value: 'b' },
                { type: 'lost', item: lost },
                { type: 'lost', item: { ...lost, id: 'n' } },
              ]),
            ],
          }),
        );
        await repository.apply(
          buildCommit('r', 2, {
            sections: [
              buildSection(
                2,
                [
                  { type: 'cursor', scope: 'one', value: null },
                  { type: 'cursor', scope: 'two', value: 'c' },
                  { type: 'found', item: 'n' },
                ],
                { name: 'Ada King', address: null },
              ),
            ],
          }),
        );
        const object = await repository.object('ada');
        expect(object).toMatchObject({ name: 'Ada King', address: null, revision: 2, organizationId: 'contoso' });
        expect([...(object?.cursors ?? [])]).toEqual([['two', 'c']]);
        expect(object?.lost).toEqual([lost]);
        expect(await all(repository.listObjects())).toEqual([object]);
        expect(await repository.object('bob')).toBeNull();
      });

      it('applies a commit once when many apply it at the same time', async () => {
        const repository = await newRepository();
        const commit = buildCommit('r', 1, { sections: [buildSection(1, [put(buildItem('m'))])] });
        await Promise.all([repository.apply(commit), repository.apply(commit), repository.apply(commit)]);
        expect(await repository.versionsOf('ada', 'm')).toHaveLength(1);
      });
    });

    describe('against a plain model', () => {
      it('shows the same at every revision, whatever was committed', async () => {
        await fc.assert(
          fc.asyncProperty(commits, async (made) => {
            const repository = await newRepository();
            const model = new CatalogModel();
            for (const commit of made) {
              await repository.apply(commit);
              model.apply(commit);
            }
            for (const [key, object] of model.objects) await expectSame(repository, key, object);
            await repository.clear();
          }),
          { numRuns: 20 },
        );
      });

      it('is the same whether objects took turns or came one after the other, and however often a commit came', async () => {
        await fc.assert(
          fc.asyncProperty(commits, fc.array(fc.nat(3)), async (made, repeats) => {
            const [one, other] = [await newRepository(), await newRepository()];
            for (const commit of made) await one.apply(commit);
            const ordered = made.toSorted((a, b) => (a.run < b.run ? -1 : 1));
            for (const [at, commit] of ordered.entries()) {
              for (let again = 0; again <= (repeats[at] ?? 0); again += 1) await other.apply(commit);
            }
            expect(await other.fingerprint()).toEqual(await one.fingerprint());
            await one.clear();
            expect(await other.fingerprint()).not.toEqual(await one.fingerprint());
            for (const commit of made) await one.apply(commit);
            expect(await one.fingerprint()).toEqual(await other.fingerprint());
            await Promise.all([one.clear(), other.clear()]);
          }),
          { numRuns: 12 },
        );
      });
    });

    describe('two repositories', () => {
      it('never see what the other has', async () => {
        const [one, other] = [await newRepository(), await newRepository()];
        await one.apply(
          buildCommit('r', 1, {
            packs: [buildPack(1, [1])],
            sections: [buildSection(1, [put(buildFolder('inbox')), put(buildItem('m'))])],
            end: buildEnd([['ada', 1]]),
          }),
        );
        await one.index([{ object: 'ada', item: 'm', firstRevision: 1, text: 'zebra' }]);
        await one.lease('ada', 'worker', 60_000);
        expect(await one.search({ text: 'zebra', limit: 5 })).toHaveLength(1);
        expect(await other.search({ text: 'zebra', limit: 5 })).toEqual([]);
        expect(await other.search({ limit: 5 })).toEqual([]);
        expect(await other.object('ada')).toBeNull();
        expect(await other.restorePoint('r')).toBeNull();
        expect(await other.listRestorePoints({ limit: 5, offset: 0 })).toEqual([]);
        expect((await other.locate([chunk(1)])).size).toBe(0);
        expect(await all(other.listPacks())).toEqual([]);
        expect(await all(other.versionsUsing([chunk(1)]))).toEqual([]);
        expect(await other.countUnindexed()).toBe(0);
        expect(await other.expirable(day(99))).toEqual({ versions: 0, bytes: 0, restorePoints: 0 });
        expect(await other.lease('ada', 'another', 60_000)).toBe(true);
        await expect(other.versionsOf('ada', 'm')).rejects.toMatchObject({ code: 'not-found' });
        await other.clear();
        expect(await one.search({ text: 'zebra', limit: 5 })).toHaveLength(1);
      });
    });

    describe('browsing', () => {
      it('sorts names as a person expects: numbers by value, without case and accents', async () => {
        const repository = await newRepository();
        const names = ['Zoë', 'report 10', 'Report 9', 'äpfel', 'apple', 'Éclair', 'Report 9 b', 'zoe 2'];
        await repository.apply(
          buildCommit('r', 1, {
            sections: [
              buildSection(
                1,
                names.map((one) => put(buildItem(one, { name: one }))),
              ),
            ],
          }),
        );
        const { rows } = await repository.browse({
          object: 'ada',
          revision: 1,
          parentId: 'inbox',
          sort: 'name',
          limit: 20,
        });
        expect(rows.map((row) => row.name)).toEqual([
          'äpfel',
          'apple',
          'Éclair',
          'Report 9',
          'Report 9 b',
          'report 10',
          'Zoë',
          'zoe 2',
        ]);
      });

      it('refuses a cursor that is of another order, or none at all', async () => {
        const repository = await newRepository();
        await repository.apply(
          buildCommit('r', 1, { sections: [buildSection(1, [put(buildItem('a')), put(buildItem('b'))])] }),
        );
        const query: BrowseQuery = { object: 'ada', revision: 1, parentId: 'inbox', sort: 'name', limit: 1 };
        const { next } = await repository.browse(query);
        if (next === null) throw new Error('There is a second page.');
        await expect(repository.browse({ ...query, sort: '-name', after: next })).rejects.toMatchObject({
          code: 'bad-request',
        });
        await expect(repository.browse({ ...query, after: "';--" })).rejects.toMatchObject({ code: 'bad-request' });
      });

      it('is empty in a container that never held anything', async () => {
        const repository = await newRepository();
        await repository.apply(buildCommit('r', 1, { sections: [buildSection(1, [put(buildItem('a'))])] }));
        const query: BrowseQuery = { object: 'ada', revision: 1, parentId: 'a', sort: 'date', limit: 1 };
        expect(await repository.browse(query)).toEqual({ rows: [], next: null });
        await expect(repository.browse({ ...query, object: 'bob' })).rejects.toMatchObject({ code: 'not-found' });
      });

      it('walks through thousands of items, each once, containers before what they hold', async () => {
        const repository = await newRepository();
        const folders = Array.from({ length: 450 }, (_, at) =>
          buildFolder(`f${at}`, { parentId: at === 0 ? null : `f${Math.floor((at - 1) / 3)}` }),
        );
        const items = Array.from({ length: 4_000 }, (_, at) =>
          buildItem(`m${at}`, { parentId: at < 2_500 ? 'f7' : `f${at % 450}`, sizeBytes: 1 }),
        );
        await repository.apply(buildCommit('r', 1, { sections: [buildSection(1, [...items, ...folders].map(put))] }));
        const walked = (await all(repository.walk('ada', 1, null))).map(({ id }) => id);
        expect(new Set(walked).size).toBe(walked.length);
        expect(walked).toHaveLength(4_450);
        expectContainersFirst(await all(repository.walk('ada', 1, null)));
        const below = await all(repository.walk('ada', 1, 'f1'));
        expect(below[0]?.id).toBe('f1');
        expect(await repository.weigh('ada', 1, 'f1')).toEqual({
          items: below.length,
          bytes: below.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        });
        expect(await repository.weigh('ada', 1, null)).toEqual({ items: 4_450, bytes: 4_000 });
        expect(await all(repository.currentIds('ada', ['message'], 'f7'))).toHaveLength(
          items.filter(({ parentId }) => parentId === 'f7').length,
        );
        expect(await all(repository.currentIds('ada', ['mail-folder', 'message']))).toHaveLength(4_450);
      });

      it('walks on where containers lie within each other, and where the container of an item is missing', async () => {
        const repository = await newRepository();
        await repository.apply(
          buildCommit('r', 1, {
            sections: [
              buildSection(1, [
                put(buildFolder('x', { parentId: 'y' })),
                put(buildFolder('y', { parentId: 'x' })),
                put(buildItem('m', { parentId: 'missing' })),
              ]),
            ],
          }),
        );
        expect((await all(repository.walk('ada', 1, null))).map(({ id }) => id)).toEqual(['m']);
        expect((await all(repository.walk('ada', 1, 'x'))).map(({ id }) => id)).toEqual(['x', 'y']);
        expect(await all(repository.walk('ada', 1, 'nothing'))).toEqual([]);
      });
    });

    describe('restore points', () => {
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
        const findings = {
          failures: [],
          lost: [{ id: 'm', kind: 'message' as const, name: 'M', parentId: null, reason: 'Gone.', objectName: 'Ada' }],
          skipped: [],
          alerts: [{ code: 'slow', message: 'Slow.' }],
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
        expect(points[0]).toMatchObject({ outcome: 'Warning', finishedAt: day(2), findings, objects: [['ada', 2]] });
        expect(await repository.restorePoint('b')).toEqual(points[0]);
        expect(await repository.restorePoint('c')).toBeNull();
        const objects = await repository.restorePointObjects('a');
        expect(objects.map(({ object, revision }) => [object.name, revision])).toEqual([
          ['Ada Lovelace', 1],
          ['Bob', 1],
        ]);
        const ofBob = await repository.listRestorePoints({ object: 'bob', limit: 10, offset: 0 });
        expect(ofBob.map(({ run }) => run.id)).toEqual(['a']);
        const filtered = { organizationId: 'contoso', job: 'job-1', from: day(2), to: day(3), limit: 10, offset: 0 };
        expect((await repository.listRestorePoints(filtered)).map(({ run }) => run.id)).toEqual(['b']);
        expect(await repository.listRestorePoints({ organizationId: 'other', limit: 10, offset: 0 })).toEqual([]);
        expect((await repository.listRestorePoints({ limit: 1, offset: 1 })).map(({ run }) => run.id)).toEqual(['a']);
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
        expect(await repository.expirable(day(3))).toEqual({ versions: 1, bytes: 100, restorePoints: 2 });
        expect(await repository.expirable(day(2))).toEqual({ versions: 0, bytes: 0, restorePoints: 1 });
        await repository.apply(buildCommit('p', 1, { expiredBefore: day(3), end: buildEnd([]) }));
        expect((await repository.versionsOf('ada', 'm')).map(({ firstRevision }) => firstRevision)).toEqual([2]);
        expect(await repository.versionsOf('ada', 'n')).toHaveLength(1);
        expect(await repository.search({ text: 'zebra', limit: 5 })).toEqual([]);
        expect(await repository.countUnindexed()).toBe(2);
        expect(await repository.restorePoint('b')).toBeNull();
        expect(await repository.unknownRuns(['a', 'b'])).toEqual([]);
        expect(await repository.expirable(day(3))).toEqual({ versions: 0, bytes: 0, restorePoints: 0 });
      });
    });

    describe('packs', () => {
      it('tell all places of a chunk, and none in a retired pack', async () => {
        const repository = await newRepository();
        const place = (pack: number, at: number) => ({
          pack: packName(pack),
          offset: 24 + 100 * at,
          storedBytes: 100,
          plainBytes: 300,
          isCompressed: true,
        });
        await repository.apply(buildCommit('r', 1, { packs: [buildPack(1, [1, 2]), buildPack(2, [3, 2])] }));
        const places = await repository.locate([chunk(1), chunk(2), chunk(9)]);
        expect(places.get(chunk(2))).toEqual([place(1, 1), place(2, 1)]);
        expect([...places.keys()].sort()).toEqual([chunk(1), chunk(2)].sort());
        expect(await all(repository.listPacks())).toEqual([buildPack(1, [1, 2]), buildPack(2, [3, 2])]);
        await repository.apply(buildCommit('p', 1, { retiredPacks: [packName(1)] }));
        expect((await repository.locate([chunk(1), chunk(2)])).get(chunk(2))).toEqual([place(2, 1)]);
        expect(await all(repository.listPacks())).toEqual([buildPack(2, [3, 2])]);
      });

      it('stay retired when the commit that stored them is applied after the one that retired them', async () => {
        const repository = await newRepository();
        await repository.apply(buildCommit('p', 1, { retiredPacks: [packName(1)] }));
        await repository.apply(buildCommit('r', 1, { packs: [buildPack(1, [1])] }));
        expect(await all(repository.listPacks())).toEqual([]);
        expect((await repository.locate([chunk(1)])).size).toBe(0);
      });

      it('are counted by what stays: a chunk in two packs once, and those of a list', async () => {
        const repository = await newRepository();
        const content = (id: number) => ({
          contents: [{ name: 'file' as const, sizeBytes: 1, segments: [[chunk(id), 0, 1] as const] }],
        });
        await repository.apply(
          buildCommit('r', 1, {
            packs: [buildPack(1, [1, 2]), buildPack(2, [2, 3]), buildPack(3, [4, 5])],
            sections: [
              buildSection(1, [
                put(buildItem('a', content(1))),
                put(buildItem('b', content(2))),
                put(buildItem('c', { contents: [{ name: 'file', sizeBytes: 1, list: [[chunk(4), 0, 1]] }] })),
              ]),
              buildSection(2, [remove('a')]),
            ],
          }),
        );
        const readList = async () => [
          [chunk(5), 0, 1] as const,
          { base64: 76, end: 'lf' as const, of: [[chunk(3), 0, 1] as const] },
        ];
        const usage = async (before: Date) =>
          (await all(repository.packUsage(before, readList))).map(({ usedBytes, usedChunks }) => [
            usedBytes,
            usedChunks,
          ]);
        expect(await usage(day(0))).toEqual([
          [200, [chunk(1), chunk(2)]],
          [100, [chunk(3)]],
          [200, [chunk(4), chunk(5)]],
        ]);
        expect((await usage(day(9)))[0]).toEqual([100, [chunk(2)]]);
        const using = await all(repository.versionsUsing([chunk(5), chunk(1)], readList));
        expect(using.map(({ object, version }) => [object.key, version.id]).sort()).toEqual([
          ['ada', 'a'],
          ['ada', 'c'],
        ]);
        await expect(all(repository.packUsage(day(9)))).rejects.toMatchObject({ code: 'bad-request' });
        // Lines: a header, three packs, two objects, three puts and a removal; objects, packs and versions live.
        expect(await repository.journalUsage()).toEqual({ living: 7, total: 10 });
      });
    });

    describe('searching', () => searchGuarantees(newRepository));

    describe('leases', () => {
      it('belong to one holder until they are given back or not renewed', async () => {
        const repository = await newRepository();
        expect(await repository.lease('ada', 'one', 60_000)).toBe(true);
        expect(await repository.lease('ada', 'two', 60_000)).toBe(false);
        expect(await repository.lease('bob', 'two', 60_000)).toBe(true);
        expect(await repository.lease('ada', 'one', 0)).toBe(true);
        expect(await repository.lease('ada', 'two', 60_000)).toBe(true);
        await repository.releaseLease('ada', 'one');
        expect(await repository.lease('ada', 'one', 60_000)).toBe(false);
        await repository.releaseLease('ada', 'two');
        expect(await repository.lease('ada', 'one', 60_000)).toBe(true);
      });
    });
  });
}

const SORTS = ['name', '-name', 'date', '-date', 'size', '-size'] as const;

/** Compares an object at each of its revisions with the model: folders page by page in each order, the whole by walking. */
async function expectSame(repository: RepositoryCatalog, object: string, model: ObjectModel): Promise<void> {
  for (let revision = 1; revision <= model.revision; revision += 1) {
    for (const showDeleted of [false, true]) {
      const there = model.at(revision, showDeleted);
      for (const [turn, parentId] of [null, ...FOLDERS].entries()) {
        const expected = there.filter((one) => one.parentId === parentId);
        const sort = SORTS[(revision + turn + (showDeleted ? 3 : 0)) % SORTS.length] ?? 'name';
        await expectPages(repository, { object, revision, parentId, sort, showDeleted, limit: 3 }, expected);
      }
      const walked = await all(repository.walk(object, revision, null, { showDeleted }));
      expect(sorted(walked)).toEqual(sorted(there));
      expectContainersFirst(walked);
    }
    const messages = model.at(revision).filter(({ kind }) => kind === 'message');
    const query: BrowseQuery = { object, revision, parentId: 'inbox', sort: 'date', limit: 50, kinds: ['message'] };
    expect(sorted((await repository.browse(query)).rows)).toEqual(
      sorted(messages.filter((one) => one.parentId === 'inbox')),
    );
  }
  const current = await repository.current(object, ['a', 'b', 'inbox']);
  const expected = model.at(model.revision).filter(({ id }) => ['a', 'b', 'inbox'].includes(id));
  expect([...current.keys()].sort()).toEqual(expected.map(({ id }) => id).sort());
  const versions = model.versions.filter(({ id }) => id === 'a').toSorted((a, b) => b.firstRevision - a.firstRevision);
  expect(await repository.versionsOf(object, 'a')).toEqual(versions);
  const one = model.at(model.revision).find(({ id }) => id === 'a') ?? null;
  expect(await repository.item(object, model.revision, 'a')).toEqual(one);
}

async function expectPages(repository: RepositoryCatalog, query: BrowseQuery, expected: ItemVersion[]): Promise<void> {
  const rows: ItemVersion[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await repository.browse({ ...query, ...(after === undefined ? {} : { after }) });
    rows.push(...page.rows);
    after = page.next;
  }
  expect(sorted(rows)).toEqual(sorted(expected));
  const keys = rows.map((row) => sortValue(row, query.sort));
  expect(keys).toEqual(keys.toSorted((a, b) => (query.sort.startsWith('-') ? b - a : a - b)));
  const { rows: second } = await repository.browse({ ...query, offset: 3 });
  expect(second).toEqual(rows.slice(3, 6));
}

/** The number by which the model's items sort; folders have names without one, and come after `Report 12`. */
function sortValue({ kind, name, sizeBytes, modifiedAt }: ItemVersion, sort: BrowseQuery['sort']): number {
  if (sort.endsWith('size')) return sizeBytes;
  if (sort.endsWith('date')) return modifiedAt?.getTime() ?? 0;
  return kind === 'mail-folder' ? (name === 'archive' ? -2 : -1) : Number(name.replace('Report ', ''));
}

function sorted(versions: readonly ItemVersion[]): ItemVersion[] {
  return versions.toSorted((a, b) => (a.id === b.id ? a.firstRevision - b.firstRevision : a.id < b.id ? -1 : 1));
}

function expectContainersFirst(walked: readonly ItemVersion[]): void {
  const places = new Map(walked.map(({ id }, at) => [id, at]));
  for (const [at, { parentId }] of walked.entries()) expect(places.get(parentId ?? '') ?? -1).toBeLessThan(at);
}
