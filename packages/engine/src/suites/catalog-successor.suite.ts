import { expect, it } from 'vitest';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import {
  all,
  buildCommit,
  buildEnd,
  buildFolder,
  buildItem,
  buildPack,
  buildSection,
  day,
  put,
  remove,
} from './catalog-builders.ts';

const PACKS = 150;
const NOTHING = async () => undefined;

/** What every catalog guarantees to readers and writers while it is rebuilt, or while something of it expires. */
export function successorGuarantees(newRepository: () => Promise<RepositoryCatalog>): void {
  it('is made by one program at a time; when that has ended the next may', async () => {
    const repository = await newRepository();
    const first = await repository.successor();
    await expect(repository.successor()).rejects.toMatchObject({ code: 'locked', isRetryable: true });
    await first.drop();
    await first.end();
    const second = await repository.successor();
    await second.replace(NOTHING);
    await second.end();
  });

  it('keeps a commit that comes while the successor takes the place', async () => {
    const repository = await newRepository();
    await repository.apply(buildCommit('r', 1));
    const { catalog, replace, end } = await repository.successor();
    let late: Promise<unknown> = Promise.resolve();
    await catalog.apply(buildCommit('r', 1));
    await replace(async () => {
      late = repository.apply(buildCommit('r', 2, { sections: [buildSection(1, [put(buildItem('m'))])] }));
      await catalog.apply(buildCommit('s', 1));
    });
    await end();
    await late;
    expect(await repository.openRuns()).toEqual(
      new Map([
        ['r', 2],
        ['s', 1],
      ]),
    );
    expect((await repository.versionsOf('ada', 'm')).length).toBe(1);
  });

  it('lists all that is current while the catalog is exchanged: a backup removes only what is listed', async () => {
    const repository = await newRepository();
    const [top, inbox] = [put(buildItem('a', { parentId: null })), put(buildItem('b'))];
    const commit = buildCommit('r', 1, { sections: [buildSection(1, [put(buildFolder('inbox')), top, inbox])] });
    await repository.apply(commit);
    const exchange = async () => {
      const { catalog, replace, end } = await repository.successor();
      await catalog.apply(commit);
      await replace(NOTHING);
      await end();
    };
    const ids = new Set<string>();
    for await (const { id } of repository.currentIds('ada', ['mail-folder', 'message'])) {
      if (ids.size === 0) await exchange();
      ids.add(id);
    }
    expect([...ids].sort()).toEqual(['a', 'b', 'inbox']);
    let isExchanged = false;
    const exchanging = exchange().finally(() => {
      isExchanged = true;
    });
    while (!isExchanged) expect((await repository.current('ada', ['a', 'b'])).size).toBe(2);
    await exchanging;
  });

  it('shows no folder empty and no item missing while the catalog is exchanged', async () => {
    const repository = await newRepository();
    const sections = [buildSection(1, [put(buildFolder('inbox')), put(buildItem('a')), put(buildItem('b'))])];
    const commit = buildCommit('r', 1, { sections });
    await repository.apply(commit);
    const query = { object: 'ada', revision: 1, parentId: 'inbox', sort: 'name', limit: 10 } as const;
    for (let exchanges = 0; exchanges < 5; exchanges += 1) {
      const { catalog, replace, end } = await repository.successor();
      await catalog.apply(commit);
      let isExchanged = false;
      const exchanging = replace(NOTHING).finally(() => {
        isExchanged = true;
      });
      while (!isExchanged) {
        expect((await repository.browse(query)).rows).toHaveLength(2);
        expect(await repository.item('ada', 1, 'a')).not.toBeNull();
        expect(await repository.versionsOf('ada', 'a')).toHaveLength(1);
        expect((await repository.weigh('ada', 1, null)).items).toBe(3);
      }
      await exchanging;
      await end();
    }
  });

  it('is not exchanged under a pass over all packs, by which a prune decides what is deleted', async () => {
    const repository = await newRepository();
    const packs = Array.from({ length: PACKS }, (_, at) => buildPack(at, [at]));
    await repository.apply(buildCommit('r', 1, { packs }));
    const { catalog, replace, end } = await repository.successor();
    await catalog.apply(buildCommit('r', 1));
    for (const pass of [() => repository.listPacks(), () => repository.packUsage(day(0))]) {
      let found = 0;
      let replaced: Promise<void> | null = null;
      for await (const _ of pass()) {
        found += 1;
        replaced ??= expect(replace(() => Promise.reject(new Error('Not this time.')))).rejects.toThrow(
          'Not this time.',
        );
      }
      expect(found).toBe(PACKS);
      await replaced;
    }
    await replace(NOTHING);
    await end();
    expect(await all(repository.listPacks())).toEqual([]);
  });

  it('fails a walk of what has expired, before or meanwhile, or whose catalog was exchanged: what it gave is not all', async () => {
    const repository = await newRepository();
    const items = ['a', 'b', 'c'].map((id) => put(buildItem(id)));
    const first = buildCommit('r', 1, {
      sections: [buildSection(1, [put(buildFolder('inbox')), ...items])],
      end: buildEnd([['ada', 1]]),
    });
    const second = buildCommit('s', 1, {
      sections: [buildSection(2, [remove('a'), remove('b')])],
      end: buildEnd([['ada', 2]], { finishedAt: day(5) }),
    });
    for (const commit of [first, second]) await repository.apply(commit);
    const during = async (revision: number, work: () => Promise<unknown>) => {
      const walk = repository.walk('ada', revision, null)[Symbol.asyncIterator]();
      await walk.next();
      await work();
      while ((await walk.next()).done !== true);
    };
    await during(1, () => repository.apply(buildCommit('p', 1, { expiredBefore: day(1) })));
    const expiry = () => repository.apply(buildCommit('q', 1, { expiredBefore: day(4) }));
    await expect(during(1, expiry)).rejects.toMatchObject({ code: 'not-found' });
    await expect(during(1, NOTHING)).rejects.toMatchObject({ code: 'not-found' });
    const exchange = async () => {
      const { catalog, replace, end } = await repository.successor();
      await replace(async () => {
        for (const commit of [first, second]) await catalog.apply(commit);
      });
      await end();
    };
    await expect(during(2, exchange)).rejects.toMatchObject({ code: 'not-found' });
    await during(2, async () => undefined);
  });
}
