import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BrowseQuery, RepositoryCatalog } from '../catalog/catalog.ts';
import type { ItemVersion } from '../model/items.ts';
import { isPlain, type KnownCommit } from '../repository/commit.ts';
import type { TestRepositoryCatalog } from '../testing/test-catalog.ts';
import { all } from './catalog-builders.ts';
import { expectContainersFirst } from './catalog-expectations.ts';
import { CatalogModel, commits, FOLDERS, type ObjectModel } from './catalog-model.ts';

/** Every catalog shows what a plain model of it shows, whatever was committed. */
export function modelGuarantees(newRepository: () => Promise<TestRepositoryCatalog>): void {
  it('shows the same at every revision, whatever was committed', async () => {
    await fc.assert(
      fc.asyncProperty(commits, async (made) => {
        const repository = await newRepository();
        const model = new CatalogModel();
        for (const commit of made) {
          await repository.apply(commit);
          model.apply(commit);
        }
        const hasExpired = model.expiredBefore > new Date(0);
        for (const [key, object] of model.objects) await expectSame(repository, key, object, hasExpired);
        await repository.clear();
      }),
      { numRuns: 20 },
    );
  });

  it('is the same whether commits came one by one or many at once', async () => {
    await fc.assert(
      fc.asyncProperty(commits, fc.array(fc.integer({ min: 1, max: 9 })), async (made, sizes) => {
        const [one, many] = [await newRepository(), await newRepository()];
        const follows = made.map(({ run, sequence }): KnownCommit => [run, sequence]);
        const named = made.map((commit, at) => ({ ...commit, follows: follows.slice(Math.max(0, at - 2), at + 2) }));
        for (const commit of named) await one.apply(commit);
        for (let at = 0, batch = 0; at < named.length; batch += 1) {
          const some = named.slice(at, at + (sizes[batch] ?? 5));
          const plain = some.slice(0, some.findIndex((commit) => !isPlain(commit)) >>> 0);
          const [next] = some;
          if (plain.length > 0) await many.applyMany(plain);
          else if (next !== undefined) await many.apply(next);
          at += Math.max(1, plain.length);
        }
        expect(await many.orderedFingerprint()).toEqual(await one.orderedFingerprint());
        await Promise.all([one.clear(), many.clear()]);
      }),
      { numRuns: 40 },
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
}

const SORTS = ['name', '-name', 'date', '-date', 'size', '-size'] as const;

/** Compares an object at each of its revisions with the model: folders page by page in each order, the whole by walking. */
async function expectSame(repository: RepositoryCatalog, object: string, model: ObjectModel, hasExpired: boolean) {
  for (let revision = 1; revision <= model.revision; revision += 1) {
    for (const showDeleted of [false, true]) {
      const there = model.at(revision, showDeleted);
      for (const [turn, parentId] of [null, ...FOLDERS].entries()) {
        const expected = there.filter((one) => one.parentId === parentId);
        const sort = SORTS[(revision + turn + (showDeleted ? 3 : 0)) % SORTS.length] ?? 'name';
        await expectPages(repository, { object, revision, parentId, sort, showDeleted, limit: 3 }, expected);
      }
      const walking = all(repository.walk(object, revision, null, { showDeleted }));
      if (hasExpired && !model.isWhole(revision)) {
        await expect(walking).rejects.toMatchObject({ code: 'not-found' });
        continue;
      }
      const walked = await walking;
      expect(sorted(walked)).toEqual(sorted(there));
      expectContainersFirst(walked);
    }
    const messages = model.at(revision).filter(({ kind }) => kind === 'message');
    const query: BrowseQuery = { object, revision, parentId: 'inbox', sort: 'date', limit: 50, kinds: ['message'] };
    expect(sorted((await repository.browse(query)).rows)).toEqual(
      sorted(messages.filter((one) => one.parentId === 'inbox')),
    );
  }
  const points = await repository.listRestorePoints({ object, limit: 50, offset: 0 });
  expect(points.map(({ run }) => run.id).reverse()).toEqual(model.points.map(({ run }) => run));
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
