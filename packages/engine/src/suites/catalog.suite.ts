import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCatalog } from '../testing/test-catalog.ts';
import { modelGuarantees } from './catalog-against-model.suite.ts';
import { browsingGuarantees } from './catalog-browsing.suite.ts';
import {
  all,
  buildCommit,
  buildEnd,
  buildFolder,
  buildItem,
  buildPack,
  buildSection,
  chunk,
  day,
  put,
} from './catalog-builders.ts';
import { commitGuarantees } from './catalog-commits.suite.ts';
import { indexingGuarantees } from './catalog-indexing.suite.ts';
import { packGuarantees } from './catalog-packs.suite.ts';
import { restorePointGuarantees } from './catalog-restore-points.suite.ts';
import { searchGuarantees } from './catalog-search.suite.ts';
import { successorGuarantees } from './catalog-successor.suite.ts';
import { targetClaimGuarantees } from './catalog-target-claims.suite.ts';

/** What every catalog guarantees. `open` gives an empty one; repositories in it have different ids. */
export function catalogSuite(
  name: string,
  open: () => Promise<{ catalog: TestCatalog; close(): Promise<void> }>,
): void {
  describe(`${name}: the catalog`, () => {
    let catalog: TestCatalog;
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

    describe('applying commits', () => commitGuarantees(newRepository));
    describe('against a plain model', () => modelGuarantees(newRepository));
    describe('browsing', () => browsingGuarantees(newRepository));
    describe('restore points', () => restorePointGuarantees(newRepository));
    describe('packs', () => packGuarantees(newRepository));
    describe('searching', () => searchGuarantees(newRepository));
    describe('indexing words', () => indexingGuarantees(newRepository));
    describe('rebuilt, or pruned, among readers and writers', () => successorGuarantees(newRepository));

    describe('restores into one target', () => targetClaimGuarantees(newRepository));

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
        expect((await one.search({ text: 'zebra', limit: 5 })).hits).toHaveLength(1);
        expect(await other.search({ text: 'zebra', limit: 5 })).toEqual({ hits: [], next: null });
        expect(await other.search({ limit: 5 })).toEqual({ hits: [], next: null });
        expect(await other.object('ada')).toBeNull();
        expect(await other.restorePoint('r')).toBeNull();
        expect(await other.listRestorePoints({ limit: 5, offset: 0 })).toEqual([]);
        expect((await other.locate([chunk(1)])).size).toBe(0);
        expect(await all(other.listPacks())).toEqual([]);
        expect(await all(other.versionsUsing([chunk(1)]))).toEqual([]);
        expect(await other.countUnindexed()).toBe(0);
        expect(await other.expirable(day(99))).toEqual({ versions: 0, bytes: 0, restorePoints: 0 });
        await expect(other.versionsOf('ada', 'm')).rejects.toMatchObject({ code: 'not-found' });
        await other.clear();
        expect((await one.search({ text: 'zebra', limit: 5 })).hits).toHaveLength(1);
      });
    });
  });
}
