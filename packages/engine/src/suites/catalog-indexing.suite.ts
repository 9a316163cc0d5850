import { expect, it } from 'vitest';
import type { RepositoryCatalog, SearchQuery } from '../catalog/catalog.ts';
import type { StoredItem } from '../model/items.ts';
import { buildCommit, buildEnd, buildItem, buildSection, chunk, day, put, remove } from './catalog-builders.ts';
import { found, indexAll, searchable } from './catalog-search-builders.ts';

/** What every catalog guarantees of the indexing of words. */
export function indexingGuarantees(newRepository: () => Promise<RepositoryCatalog>): void {
  const withItems = async (items: readonly StoredItem[], text = '') => searchable(await newRepository(), items, text);

  it('counts what is not searchable yet, oldest first, and passes over what is gone when it is indexed', async () => {
    const repository = await newRepository();
    await repository.apply(
      buildCommit('r', 1, { sections: [buildSection(1, [put(buildItem('a')), put(buildItem('b'))])] }),
    );
    await repository.apply(buildCommit('r', 2, { sections: [buildSection(2, [put(buildItem('c')), remove('a')])] }));
    expect(await repository.countUnindexed()).toBe(3);
    const [oldest] = await repository.unindexed(1);
    expect(oldest?.version).toMatchObject({ id: 'a', lastRevision: 1 });
    const texts = await repository.unindexed(9);
    await repository.apply(buildCommit('p', 1, { expiredBefore: day(9) }));
    await repository.index(
      texts.map(({ object, version }) => ({
        object,
        item: version.id,
        firstRevision: version.firstRevision,
        text: 'zebra',
      })),
    );
    expect(await repository.countUnindexed()).toBe(0);
    expect(await found(repository, { text: 'zebra' })).toEqual(['b', 'c']);
    await repository.index([{ object: 'ada', item: 'b', firstRevision: 1, text: 'lion' }]);
    expect(await found(repository, { text: 'zebra' })).toEqual(['c']);
    expect(await found(repository, { text: 'lion' })).toEqual(['b']);
  });

  it('lets several index the same versions at once: each version has its words once', async () => {
    const repository = await newRepository();
    const ids = Array.from({ length: 40 }, (_, at) => `m${at}`);
    await repository.apply(
      buildCommit('r', 1, {
        sections: [
          buildSection(
            1,
            ids.map((id) => put(buildItem(id))),
          ),
        ],
      }),
    );
    const texts = ids.map((item) => ({ object: 'ada', item, firstRevision: 1, text: 'zebra' }));
    await Promise.all(Array.from({ length: 6 }, () => repository.index(texts)));
    expect(await repository.countUnindexed()).toBe(0);
    expect(await found(repository, { text: 'zebra' })).toHaveLength(40);
  });

  it('finds a version with the same names and text by the words of the one before, without indexing it again', async () => {
    const repository = await newRepository();
    const states = [{ isRead: false }, { isRead: true }, { isRead: true, categories: ['red'] }];
    const restorePoints = states.map((details, at) =>
      buildCommit(`run-${at + 1}`, 1, {
        sections: [buildSection(at + 1, [put(buildItem('m', { details, parentId: `folder-${at}` }))])],
        end: buildEnd([['ada', at + 1]], { finishedAt: day(at + 1) }),
      }),
    );
    for (const commit of restorePoints) {
      await repository.apply(commit);
      await indexAll(repository, `zebra${await repository.countUnindexed()}`);
    }
    const hits = async (query: Omit<SearchQuery, 'limit'>) =>
      (await repository.search({ ...query, limit: 9 })).hits.map(({ version }) => version.firstRevision);
    expect(await hits({ text: 'zebra1' })).toEqual([3]);
    for (const revision of [1, 2, 3]) {
      expect(await hits({ text: 'zebra1', restorePoint: `run-${revision}` })).toEqual([revision]);
    }
    await repository.apply(buildCommit('p', 1, { expiredBefore: day(99) }));
    expect(await hits({ text: 'zebra1' })).toEqual([3]);
    const gone = buildSection(4, [remove('m')]);
    await repository.apply(
      buildCommit('q', 1, { sections: [gone], end: buildEnd([['ada', 4]], { finishedAt: day(5) }) }),
    );
    await repository.apply(buildCommit('p', 2, { expiredBefore: day(99) }));
    expect(await hits({ text: 'zebra1' })).toEqual([]);
  });

  it.each([
    ['its name', { name: 'Another' }],
    ['its text', { contents: [{ name: 'mime' as const, sizeBytes: 1, segments: [[chunk(7), 0, 1] as const] }] }],
    ['a recipient', { details: { to: ['bob@contoso.example'] } }],
    ['its size', { sizeBytes: 7 }],
    ['its date', { modifiedAt: day(7) }],
  ])('indexes a version again when %s changed', async (_, over) => {
    const repository = await withItems([buildItem('m')]);
    await repository.apply(buildCommit('s', 1, { sections: [buildSection(2, [put(buildItem('m', over))])] }));
    expect(await repository.countUnindexed()).toBe(1);
  });

  it('knows the end of a version that a commit ends while its words are indexed', async () => {
    const repository = await newRepository();
    const commit = (revision: number) =>
      buildCommit(`run-${revision}`, 1, {
        sections: [buildSection(revision, [put(buildItem('m', { sizeBytes: revision }))])],
        end: buildEnd([['ada', revision]]),
      });
    await repository.apply(commit(1));
    for (let revision = 2; revision <= 12; revision += 1) {
      const words = { object: 'ada', item: 'm', firstRevision: revision - 1, text: `word${revision - 1}` };
      await Promise.all([repository.apply(commit(revision)), repository.index([words])]);
    }
    for (let revision = 1; revision < 12; revision += 1) {
      const text = `"word${revision}"`;
      expect(await found(repository, { text, restorePoint: `run-${revision}` })).toEqual(['m']);
      expect(await found(repository, { text, restorePoint: `run-${revision + 1}` })).toEqual([]);
    }
  });

  it('takes a text of any length, of which the first part counts', async () => {
    const repository = await withItems([buildItem('m')], `needle ${'straw '.repeat(40_000)} haystack`);
    expect(await found(repository, { text: 'needle', kinds: ['message'] })).toEqual(['m']);
    expect(await found(repository, { text: 'haystack', kinds: ['message'] })).toEqual([]);
  });
}
