import { expect, it } from 'vitest';
import type { BrowseQuery, RepositoryCatalog } from '../catalog/catalog.ts';
import { all, buildCommit, buildFolder, buildItem, buildSection, put } from './catalog-builders.ts';
import { expectContainersFirst } from './catalog-expectations.ts';

/** What every catalog guarantees of lists and trees. */
export function browsingGuarantees(newRepository: () => Promise<RepositoryCatalog>): void {
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

  it('finds the namesakes of an item: of its kind and name, in its container, at a revision', async () => {
    const repository = await newRepository();
    const [item, ...others] = [
      buildItem('a', { name: 'Weekly' }),
      buildItem('b', { name: 'Weekly' }),
      buildItem('later', { name: 'Weekly' }),
      buildItem('case', { name: 'weekly' }),
      buildItem('kind', { name: 'Weekly', kind: 'event' }),
      buildItem('elsewhere', { name: 'Weekly', parentId: 'archive' }),
    ];
    if (item === undefined) throw new Error('There is no item.');
    const early = others.filter(({ id }) => id !== 'later');
    await repository.apply(buildCommit('r', 1, { sections: [buildSection(1, [item, ...early].map(put))] }));
    const late = others.filter(({ id }) => id === 'later');
    await repository.apply(buildCommit('r', 2, { sections: [buildSection(2, late.map(put))] }));
    const idsAt = async (revision: number) =>
      (await repository.namesakes('ada', revision, item)).map(({ id }) => id).toSorted();
    expect(await idsAt(1)).toEqual(['b']);
    expect(await idsAt(2)).toEqual(['b', 'later']);
    expect(await repository.namesakes('ada', 2, { ...item, parentId: 'nowhere' })).toEqual([]);
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
    expect(await repository.weigh('ada', 1, ['f1'])).toEqual({
      items: below.length,
      bytes: below.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    });
    expect(await repository.weigh('ada', 1, null)).toEqual({ items: 4_450, bytes: 4_000 });
    // What is chosen together with the folder that it is in counts once.
    const inside = below.slice(1, 4).map(({ id }) => id);
    const chosen = await repository.weigh('ada', 1, [...inside, 'f1', 'f1', 'm1']);
    expect(chosen).toEqual(await repository.weigh('ada', 1, ['f1', 'm1']));
    expect(chosen.items).toBeGreaterThanOrEqual(below.length);
    expect(await repository.weigh('ada', 1, [])).toEqual({ items: 0, bytes: 0 });
    expect(await all(repository.currentIds('ada', ['message'], 'f7'))).toHaveLength(
      items.filter(({ parentId }) => parentId === 'f7').length,
    );
    expect(await all(repository.currentIds('ada', ['mail-folder', 'message']))).toHaveLength(4_450);
  });

  it('walks through folders in the order in which commits named them, whatever else a commit brings', async () => {
    const repository = await newRepository();
    const names = (night: number) => Array.from({ length: 40 }, (_, at) => `${night} ${(at * 17) % 40}`);
    const section = (key: string, night: number) => {
      const changes = names(night).map((name) => put(buildItem(`in ${name}`, { parentId: name })));
      return buildSection(night, changes, { key, name: key });
    };
    for (const night of [1, 2])
      await repository.apply(buildCommit('r', night, { sections: [section('bob', night), section('ada', night)] }));
    for (const key of ['ada', 'bob']) {
      const walked = (await all(repository.walk(key, 2, null))).map(({ parentId }) => parentId);
      expect(walked).toEqual([...names(1), ...names(2)]);
    }
  });

  it('walks on where containers are within each other, and where the container of an item is missing', async () => {
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
}
