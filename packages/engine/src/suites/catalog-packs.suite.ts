import { expect, it } from 'vitest';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import {
  all,
  buildCommit,
  buildGroupedPack,
  buildItem,
  buildPack,
  buildSection,
  chunk,
  day,
  packName,
  put,
  remove,
} from './catalog-builders.ts';

/** What every catalog guarantees of packs and chunks. */
export function packGuarantees(newRepository: () => Promise<RepositoryCatalog>): void {
  it('lists all places of a chunk, and none in a retired pack', async () => {
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

  it('are counted by what stays: a chunk in two packs once, in the newest, and those of a list', async () => {
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
      (await all(repository.packUsage(before, readList))).map(({ usedBytes, usedChunks }) => [usedBytes, usedChunks]);
    expect(await usage(day(0))).toEqual([
      [100, [chunk(1)]],
      [200, [chunk(2), chunk(3)]],
      [200, [chunk(4), chunk(5)]],
    ]);
    expect((await usage(day(9)))[0]).toEqual([0, []]);
    const using = await all(repository.versionsUsing([chunk(5), chunk(1)], readList));
    expect(using.map(({ object, version }) => [object.key, version.id]).sort()).toEqual([
      ['ada', 'a'],
      ['ada', 'c'],
    ]);
    await expect(all(repository.packUsage(day(9)))).rejects.toMatchObject({ code: 'bad-request' });
  });

  it('say where in a group a chunk is, in their order there, and count each by its share of the group', async () => {
    const repository = await newRepository();
    const pack = buildGroupedPack(1, [3, 1, 2], 300);
    const content = { contents: [{ name: 'file' as const, sizeBytes: 1, segments: [[chunk(2), 0, 1] as const] }] };
    await repository.apply(
      buildCommit('r', 1, { packs: [pack], sections: [buildSection(1, [put(buildItem('a', content))])] }),
    );
    expect(await all(repository.listPacks())).toEqual([pack]);
    expect((await repository.locate([chunk(1)])).get(chunk(1))).toEqual([
      {
        pack: packName(1),
        offset: 24,
        storedBytes: 100,
        plainBytes: 600,
        isCompressed: true,
        groupStart: 300,
      },
    ]);
    const [usage] = await all(repository.packUsage(day(0)));
    expect(usage).toMatchObject({ usedBytes: 50, usedChunks: [chunk(2)] });
  });
}
