import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import { openCatalog } from './open-catalog.ts';

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
