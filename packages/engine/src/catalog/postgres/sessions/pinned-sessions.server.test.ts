import { expect, test } from 'vitest';
import { buildCommit, buildEnd, buildItem, buildSection, put } from '../../../suites/catalog-builders.ts';
import { createTestDatabase } from '../../../testing/test-database.ts';
import { openCatalog } from '../open-catalog.ts';

test('restores, rebuilds and passes that pin sessions for hours leave all others for queries', async () => {
  const database = await createTestDatabase();
  const all = await openCatalog({ connectionString: database.url, max: 2, connectionTimeoutMillis: 3_000 });
  const catalog = await all.repository('one');
  const claims = await Promise.all([1, 2, 3, 4].map((at) => catalog.claimTarget(`mailbox/${at}`, `mailbox ${at}`)));
  const successor = await catalog.successor();
  const passes = [catalog.listPacks()[Symbol.asyncIterator](), catalog.listPacks()[Symbol.asyncIterator]()];
  expect(await catalog.listRestorePoints({ limit: 10, offset: 0 })).toEqual([]);
  expect((await catalog.findObjects({ limit: 10 })).rows).toEqual([]);
  for (const pass of passes) expect(await pass.next()).toMatchObject({ done: true });
  await expect(catalog.claimTarget('mailbox/1', 'mailbox 1')).rejects.toMatchObject({ code: 'locked' });
  for (const claim of claims) claim.end();
  await successor.drop();
  await successor.end();
  (await catalog.claimTarget('mailbox/1', 'mailbox 1')).end();
  await all.close();
  await database.drop();
});

test('more of them than there are sessions for is refused in words', async () => {
  const database = await createTestDatabase();
  const options = { connectionString: database.url, connectionTimeoutMillis: 300 };
  const all = await openCatalog(options, {}, { pinned: 2 });
  const catalog = await all.repository('one');
  const claims = await Promise.all([1, 2].map((at) => catalog.claimTarget(`mailbox/${at}`, `mailbox ${at}`)));
  const refused = { code: 'locked', isRetryable: true, message: expect.stringContaining('2 restores, rebuilds') };
  await expect(catalog.claimTarget('mailbox/3', 'mailbox 3')).rejects.toMatchObject(refused);
  await expect(catalog.successor()).rejects.toMatchObject(refused);
  for (const claim of claims) claim.end();
  (await catalog.claimTarget('mailbox/3', 'mailbox 3')).end();
  await all.close();
  await database.drop();
});

test('a rebuild comes to its end while as many writers wait for it as there are sessions', async () => {
  const database = await createTestDatabase();
  const options = { connectionString: database.url, connectionTimeoutMillis: 3_000 };
  const all = await openCatalog(options, {}, { queries: 3 });
  const catalog = await all.repository('one');
  const commitOf = (run: string) =>
    buildCommit(run, 1, {
      sections: [buildSection(1, [put(buildItem('m'))], { key: run })],
      end: buildEnd([[run, 1]]),
    });
  const making = await catalog.successor();
  let writing: Promise<unknown> = Promise.resolve();
  await making.replace(async () => {
    writing = Promise.all(['a', 'b', 'c', 'd'].map((run) => catalog.apply(commitOf(run))));
    // Meanwhile those that got a session wait in it.
    for (let pages = 0; pages < 5; pages += 1) await making.catalog.listRestorePoints({ limit: 10, offset: 0 });
    await making.catalog.apply(commitOf('e'));
  });
  await writing;
  await making.end();
  const points = await catalog.listRestorePoints({ limit: 10, offset: 0 });
  expect(points.map(({ run }) => run.id).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  await all.close();
  await database.drop();
});
