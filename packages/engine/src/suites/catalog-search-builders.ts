import type { RepositoryCatalog, SearchPage, SearchQuery } from '../catalog/catalog.ts';
import type { StoredItem } from '../model/items.ts';
import { buildCommit, buildEnd, buildFolder, buildSection, put } from './catalog-builders.ts';

/** A catalog that knows some items, in a folder `Top / Inbox`, all with the same text. */
export async function searchable(
  repository: RepositoryCatalog,
  items: readonly StoredItem[],
  text = '',
): Promise<RepositoryCatalog> {
  const puts = [
    buildFolder('top', { name: 'Top' }),
    buildFolder('inbox', { name: 'Inbox', parentId: 'top' }),
    ...items,
  ];
  await repository.apply(
    buildCommit('r', 1, { sections: [buildSection(1, puts.map(put))], end: buildEnd([['ada', 1]]) }),
  );
  await indexAll(repository, text);
  return repository;
}

/** The ids of what is found. */
export async function found(repository: RepositoryCatalog, query: Omit<SearchQuery, 'limit'>): Promise<string[]> {
  return (await repository.search({ ...query, limit: 50 })).hits.map(({ version }) => version.id).sort();
}

/** The ids of what is found, page by page to the end. */
export async function foundInPages(repository: RepositoryCatalog, query: SearchQuery): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { hits, next }: SearchPage = await repository.search({ ...query, ...(after === '' ? {} : { after }) });
    pages.push(hits.map(({ version }) => version.id));
    after = next;
  }
  return pages;
}

/** Gives an item of `searchable` one name after the other: a version each. */
export async function rename(repository: RepositoryCatalog, item: StoredItem, names: readonly string[]): Promise<void> {
  for (const [at, name] of names.entries()) {
    const section = buildSection(at + 2, [put({ ...item, name })]);
    await repository.apply(buildCommit('renamed', at + 1, { sections: [section] }));
  }
  await indexAll(repository);
}

/** Indexes what waits. */
export async function indexAll(repository: RepositoryCatalog, text = ''): Promise<void> {
  for (;;) {
    const waiting = await repository.unindexed(1_000);
    if (waiting.length === 0) return;
    await repository.index(
      waiting.map(({ object, version: { id, firstRevision } }) => ({ object, item: id, firstRevision, text })),
    );
  }
}
