import { expect, test } from 'vitest';
import { buildCommit, buildItem, buildPack, buildSection, chunk, packName, put } from '../suites/catalog-builders.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { allMissingPacks } from './missing-packs.ts';

const database = useDatabase();

test('an item that needs the first and the last of very many missing chunks is named once, with both', async () => {
  const { repository, catalog } = await database.parts();
  const numbers = Array.from({ length: 100_001 }, (_, number) => number);
  const ends = [chunk(0), chunk(100_000)];
  const segments = ends.map((id) => [id, 0, 10] as const);
  const item = buildItem('both', { contents: [{ name: 'properties', sizeBytes: 20, segments }] });
  await catalog.apply(
    buildCommit('r', 1, { packs: [buildPack(1, numbers)], sections: [buildSection(1, [put(item)])] }),
  );
  const { damage, items } = await allMissingPacks(repository, catalog);
  expect(damage.map(({ pack }) => pack)).toEqual([packName(1)]);
  expect(items.map(({ version, chunks }) => [version.id, chunks])).toEqual([['both', ends]]);
});
